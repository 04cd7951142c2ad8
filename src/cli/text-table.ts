/** Rows under their titles, in columns as wide as their widest cell. The cells of `numbers` (columns, from 0) stand on the right. */
export function textTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map(row => (row[at] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) =>
        numbers.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [titles, ...rows].map(row => `${line(row)}\n`).join('');
}
