/** Cuts a stream of bytes into lines. Linear in the bytes, however they arrive; a line over the limit ends it. */
export interface LineOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** Called once; what follows is dropped. */
  readonly onTooLong: () => void;
}

export function lineReader({ maxBytes, onLine, onTooLong }: LineOptions): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let size = 0;
  let stopped = false;

  return chunk => {
    let rest = chunk;
    while (!stopped) {
      const end = rest.indexOf(0x0a);
      const part = end === -1 ? rest : rest.subarray(0, end);
      size += part.length;
      if (size > maxBytes) {
        stopped = true;
        pending = [];
        onTooLong();
        return;
      }
      pending.push(part);
      if (end === -1) return;
      const line = Buffer.concat(pending).toString('utf8').replace(/\r$/, '');
      pending = [];
      size = 0;
      onLine(line);
      rest = rest.subarray(end + 1);
    }
  };
}
