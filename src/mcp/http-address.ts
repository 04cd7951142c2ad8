/** Whether a URL and headers can be used at all, and how an address may be shown. */

/** What is wrong with a URL, without a word of it: variables may be in it. */
export function urlProblem(text: string): string | undefined {
  const address = parse(text);
  if (!address) return 'is no address. Write one that begins with https:// or http://.';
  if (address.protocol === 'http:' || address.protocol === 'https:') return undefined;
  return `begins with ${address.protocol}//, and only https:// and http:// can be reached.`;
}

export function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/.test(name)) return 'is no name that a header can have.';
  // White space around it is cut off when it is sent: files with secrets end in a newline.
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value.trim())) return 'has characters that no header can hold.';
  return undefined;
}

export interface Address {
  /** Without credentials: fetch would refuse them. */
  readonly url: URL;
  /** The credentials, as the header that they stand for. */
  readonly authorization?: string;
  /** Without credentials, query and fragment, and with long parts of the path, which may be keys, cut short. */
  readonly shown: string;
  /** What of the address may be secret. */
  readonly secrets: readonly string[];
}

export function readAddress(text: string): Address {
  const url = new URL(text);
  const { username, password } = url;
  const secrets = [
    ...url.searchParams.values(),
    ...credentials(url),
    ...url.pathname.split('/').filter(isLong),
  ];
  url.username = '';
  url.password = '';
  const basic = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64');
  return {
    url,
    shown: shownAddress(url),
    secrets: username || password ? [...secrets, basic] : secrets,
    ...(username || password ? { authorization: `Basic ${basic}` } : {}),
  };
}

export function shownAddress({ origin, pathname }: URL): string {
  const parts = pathname.split('/').map(part => (isLong(part) ? '…' : part));
  return pathname === '/' ? origin : `${origin}${parts.join('/')}`;
}

const isLong = (part: string) => part.length > 24;

function credentials({ username, password }: URL): string[] {
  return [username, password, decode(username), decode(password)].filter(text => text !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
