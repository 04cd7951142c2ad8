/** Where the text is inside code: a fence of three backticks or more on lines of its own, or backticks within a line. */
export class CodeState {
  private fence = 0;
  private inline = 0;
  private certain = false;

  get inside(): boolean {
    return this.fence > 0 || this.inline > 0;
  }

  /** Backticks opened on this line, and it was not yet looked whether others close them. */
  get unproven(): boolean {
    return this.inline > 0 && !this.certain;
  }

  /** Said of backticks that are unproven. */
  prove(closed: boolean): void {
    this.certain = closed;
    if (!closed) this.inline = 0;
  }

  text(text: string): void {
    // Code within a line ends with it, whether it was closed or not.
    if (this.inline > 0 && text.includes('\n')) this.inline = 0;
  }

  /** Whatever was open ends here. */
  leave(): void {
    this.fence = 0;
    this.inline = 0;
  }

  /** A run of backticks, and whether it begins its line. */
  ticks(count: number, begins: boolean): void {
    if (this.fence > 0) {
      if (begins && count >= this.fence) this.fence = 0;
    } else if (begins && count >= 3) this.fence = count;
    else if (this.inline === 0) {
      this.inline = count;
      this.certain = false;
    } else if (this.inline === count) this.inline = 0;
  }
}

export function codeState(): CodeState {
  return new CodeState();
}
