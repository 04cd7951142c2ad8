/** Rows under their titles, in columns as wide as their widest cell. */
export function textTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map(row => (row[at] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [titles, ...rows].map(row => `${line(row)}\n`).join('');
}
