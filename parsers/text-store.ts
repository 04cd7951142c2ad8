/** A text that grows by many small pieces. A string grown by `+=` would be a tree as deep as there are pieces. */
export class TextStore {
  private parts: string[] = [];
  private pieces: string[] = [];

  add(text: string): void {
    if (text === '') return;
    this.pieces.push(text);
    if (this.pieces.length >= 512) this.join();
  }

  get empty(): boolean {
    return this.parts.length === 0 && this.pieces.length === 0;
  }

  toString(): string {
    this.join();
    if (this.parts.length > 1) this.parts = [this.parts.join('')];
    return this.parts[0] ?? '';
  }

  private join(): void {
    if (this.pieces.length > 0) this.parts.push(this.pieces.join(''));
    this.pieces = [];
  }
}

export function textStore(): TextStore {
  return new TextStore();
}
