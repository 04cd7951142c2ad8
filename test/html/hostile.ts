/** What a model, a user or a tool may write into a page, and what a page must not have of it. */
import type { Page } from 'playwright-core';

export const hostile = [
  '<script>window.taken = 1</script>',
  '"><img src=x onerror="window.taken = 1">',
  "' onmouseover='window.taken = 1",
  '<a href="https://example.com/">here</a> [here](javascript:window.taken=1)',
  '</script></style></title></pre></details><iframe src="https://example.com"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '<style>* { display: none }</style><link rel="stylesheet" href="https://example.com/a.css">',
  '\u202etxet\u0000\u001b[31m\r<!-- {{window.taken = 1}}',
].join('\n');

/** As a page shows it: each line but the last, and the last one with its controls spelt. */
export const hostileShown = [...hostile.split('\n').slice(0, -1), '\\u202etxet\\u0000\\u001b[31m\\u000d<!--'];

const kinds = [
  ...['script', 'style', 'link[rel=stylesheet]', 'iframe', 'img', 'a[href^=http]', 'a[href^=javascript]'],
  ...['meta[http-equiv=refresh]', '[onmouseover]', '[onerror]'],
];

/** How many there are of what could do something, with all of the page opened. */
export async function liveParts(page: Page): Promise<Record<string, number>> {
  await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })");
  await page.mouse.move(300, 300);
  const counts = await page.evaluate<[string, number][]>(
    `${JSON.stringify(kinds)}.map(one => [one, document.querySelectorAll(one).length])`,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
