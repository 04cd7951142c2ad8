/** Where an endpoint is: `http://host:8000`, with or without `/v1` behind it. */
import { RawcallError } from '../../../parsers/error.ts';

export interface Address {
  /** For people. */
  readonly url: string;
  /** What a server's own routes stand behind, such as `/tokenize`. */
  readonly root: string;
  /** What OpenAI's routes stand behind. */
  readonly api: string;
}

/** @throws RawcallError `bad_endpoint` */
export function addressOf(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw bad(text, 'it is no http or https address, such as http://127.0.0.1:8080/v1');
  if (url.username !== '' || url.password !== '')
    throw bad(`${url.protocol}//…@${url.host}`, 'it holds a name or password. Give the key by itself');
  if (url.search !== '' || url.hash !== '')
    throw bad(`${url.origin}${url.pathname}`, 'nothing may follow its path');
  const path = url.pathname.replace(/\/+$/, '');
  const root = `${url.origin}${path.replace(/\/v\d+$/, '')}`;
  const api = /\/v\d+$/.test(path) ? `${url.origin}${path}` : `${root}/v1`;
  return { url: api, root, api };
}

function bad(text: string, why: string): RawcallError {
  return new RawcallError('bad_endpoint', `The endpoint ${text} can't be used: ${why}.`, { endpoint: text });
}
