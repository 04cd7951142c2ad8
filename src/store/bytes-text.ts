/** Sizes as those who publish files state them: in powers of ten. */
const units = ['kB', 'MB', 'GB', 'TB'] as const;

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit: string = 'B';
  for (const larger of units) {
    if (Math.round(value) < 1000) break;
    value /= 1000;
    unit = larger;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
