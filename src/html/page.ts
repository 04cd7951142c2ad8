/** A page that is one file: what it shows and does is in it, and nothing in it can ask anybody for anything. */
import { createHash } from 'node:crypto';
import { type Content, html, htmlText } from './markup.ts';
import { style as shared } from './style.ts';

export interface PageHead {
  readonly title: string;
  /** Of this page alone; it comes behind what all pages share. */
  readonly style?: string;
  /** A module. It can rearrange what the page holds, and make no HTML of texts. */
  readonly script?: string;
}

/** The page as a whole. One too large for that is written as its head, its parts, and its end. */
export function page(head: PageHead, body: Content): string {
  return `${pageStart(head)}${htmlText(body)}${pageEnd}`;
}

export function pageStart({ title, style = '', script }: PageHead): string {
  const styles = `${shared}${style}`;
  // Only what has these hashes is obeyed: a text that got in as HTML in spite of all would still be nothing but a text.
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${icon}">
${htmlText(html`<title>${title}</title>`)}
<style>${styles}</style>
${script === undefined ? '' : `<script type="module">${script}</script>\n`}</head>
<body>
`;
}

export const pageEnd = '\n</body>\n</html>\n';

/** Without one, a browser asks the server for its own. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b6ea8'/%3E%3Cpath d='M5 4 2.5 8 5 12M11 4l2.5 4L11 12' fill='none' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E";

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
