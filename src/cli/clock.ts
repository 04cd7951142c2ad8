/** `30 Nov 2026`, as Llama's templates state the date. */
export function dateText(now: Date): string {
  const month = now.toLocaleString('en-US', { month: 'short' });
  return `${String(now.getDate()).padStart(2, '0')} ${month} ${now.getFullYear()}`;
}
