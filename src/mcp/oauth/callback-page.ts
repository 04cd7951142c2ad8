/** The page that a browser shows after a login. Its words may be a stranger's. */

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  // Nothing in it runs or is loaded, nothing of its address is passed on or kept.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;

export function pageOf(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>rawcall: ${escaped(title)}</title>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!);
}
