/** Where the text is inside code: a fence of three backticks or more on lines of its own, or backticks within a line. */
export function codeState() {
  let fence = 0;
  let inline = 0;
  let certain = false;
  return {
    get inside() {
      return fence > 0 || inline > 0;
    },
    /** Backticks opened on this line, and it was not yet looked whether others close them. */
    get unproven() {
      return inline > 0 && !certain;
    },
    /** Said of backticks that are unproven. */
    prove(closed: boolean) {
      certain = closed;
      if (!closed) inline = 0;
    },
    text(text: string) {
      // Code within a line ends with it, whether it was closed or not.
      if (inline > 0 && text.includes('\n')) inline = 0;
    },
    /** A run of backticks, and whether it begins its line. */
    ticks(count: number, begins: boolean) {
      if (fence > 0) {
        if (begins && count >= fence) fence = 0;
      } else if (begins && count >= 3) fence = count;
      else if (inline === 0) {
        inline = count;
        certain = false;
      } else if (inline === count) inline = 0;
    },
  };
}
