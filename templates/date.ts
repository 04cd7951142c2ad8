/** The day that a prompt states, in the spelling that a family's own template has for it. */

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** `26 Jul 2024` as `2024-07-26`, or as `July 26, 2024`; any other text as it is. */
export function respelled(date: string, spelling: 'iso' | 'long'): string {
  const [, day, short, year] = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(date) ?? [];
  const month = months.findIndex(one => one.slice(0, 3) === short);
  if (month === -1) return date;
  return spelling === 'iso'
    ? `${year}-${String(month + 1).padStart(2, '0')}-${day}`
    : `${months[month]} ${day}, ${year}`;
}
