/** A text that grows by many small pieces. A string grown by `+=` would be a tree as deep as there are pieces. */
export interface TextStore {
  add(text: string): void;
  readonly empty: boolean;
  toString(): string;
}

export function textStore(): TextStore {
  let parts: string[] = [];
  let pieces: string[] = [];
  const join = () => {
    if (pieces.length > 0) parts.push(pieces.join(''));
    pieces = [];
  };
  return {
    add(text) {
      if (text === '') return;
      pieces.push(text);
      if (pieces.length >= 512) join();
    },
    get empty() {
      return parts.length === 0 && pieces.length === 0;
    },
    toString() {
      join();
      if (parts.length > 1) parts = [parts.join('')];
      return parts[0] ?? '';
    },
  };
}
