/** What went wrong with a server over HTTP, and what a user can do about it. */

import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { RawcallError } from '../../parsers/error.ts';
import { isFields } from '../../templates/check.ts';
import { hide } from './hidden.ts';
import type { Address } from './http-address.ts';
import type { HttpServer } from './servers.ts';
import { plainLine } from './tail.ts';

export interface Failures {
  /** For people; nothing in it is a secret of the config. */
  reason(error: unknown): string;
}

export function httpFailures(server: HttpServer, address: Address): Failures {
  const { name, headers, variables = {} } = server;
  const { shown, url } = address;
  const ownKey = Object.keys(headers).find(key => /authorization|api.?key|token/i.test(key));
  const secrets = [
    ...address.secrets,
    // `Bearer TOKEN` is as much of a secret as the token alone.
    ...Object.values(headers).flatMap(value => [value, ...value.split(/\s+/)]),
  ];

  function reason(error: unknown): string {
    // A token of a login is not known here; a server that repeats it does so as it got it.
    const said = words(error).replace(/\b(Bearer|Basic) +[\w.~+/=-]{12,}/gi, '$1 …');
    return hide(said, { variables, secrets });
  }

  function words(error: unknown): string {
    if (RawcallError.isInstance(error)) return error.message;
    const status = httpStatus(error);
    if (status !== undefined) return ofStatus(status, error);
    if (error instanceof UnauthorizedError) return ofStatus(401, error);
    if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
      return `${shown} gave no answer in time, so it may be no MCP server. Check its "url".`;
    const code = networkCode(error);
    if (code !== undefined) return ofNetwork(code);
    if (error instanceof StreamableHTTPError) return notTheProtocol(error.message);
    if (error instanceof SyntaxError || (isFields(error) && Array.isArray(error.issues)))
      return `${shown} sent an answer that is not in the form of the protocol. Correct its "url": it may be another service's.`;
    return error instanceof Error ? error.message : String(error);
  }

  function ofStatus(status: number, error: unknown): string {
    const said = serverWords(error);
    const quoted = said === '' ? '' : ` It says: ${said}`;
    const login = `rawcall mcp login ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`;
    if (status === 401 && ownKey !== undefined)
      return `${shown} does not accept the "${ownKey}" header of its config (401). Renew it, or take it out and run: ${login}.${quoted}`;
    if (status === 401) return `${shown} asks for a login (401). Run: ${login}.${quoted}`;
    if (status === 403)
      return `${shown} refuses access (403). Check what the ${ownKey ? `"${ownKey}" header` : 'login'} may do, or log in anew: ${login}.${quoted}`;
    if (status >= 300 && status < 400)
      return `${shown} redirects elsewhere (${status}), which is not followed. ${said} Correct its "url" where you trust that place.`;
    if (status === 404 || status === 405 || status === 400)
      return `${shown} has no MCP endpoint, neither of Streamable HTTP nor of the older SSE (${status}). Correct its "url": the path often ends in /mcp.${quoted}`;
    if (status === 429) return `${shown} takes no more requests for now (429). Try again later.${quoted}`;
    if (status >= 500)
      return `${shown} failed (${status}). The fault is the server's: try again later, or look into its log.${quoted}`;
    return `${shown} refused the request (${status}).${quoted}`;
  }

  function ofNetwork(code: string): string {
    if (code === 'ECONNREFUSED')
      return `nothing listens at ${shown}. Start the server, or correct its "url".`;
    if (code === 'bad port')
      return `${shown} has a port that no web client uses. Let the server listen at another one.`;
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `the host ${url.hostname} was not found (${code}). Correct its "url", or check the network.`;
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
      return `${shown} does not speak TLS. Write http:// in its "url", if that is what you want.`;
    if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|^ERR_(SSL|TLS)|^EPROTO$/.test(code))
      return `the certificate of ${shown} is not accepted (${code}). Where an authority of your own signed it, name its file in NODE_EXTRA_CA_CERTS.`;
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
      return `${shown} kept silent too long (${code}).`;
    if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE')
      return `${shown} closed the connection without an answer (${code}). Check whether it is the server's port, and wants https://.`;
    return `${shown} cannot be reached (${code}). Check the network and its "url"; a proxy has to be set up for Node itself.`;
  }

  function notTheProtocol(message: string): string {
    const type = /Unexpected content type: (.*)$/s.exec(message)?.[1] ?? '';
    const what = /html/i.test(type) ? 'a web page' : `something else (${plainLine(type)})`;
    return `${shown} sent ${what} instead of the protocol. Correct its "url": the path often ends in /mcp.`;
  }

  return { reason };
}

/** Of an answer that was none; nothing where there was no answer. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError || error instanceof SseError)
    return error.code !== undefined && error.code >= 300 ? error.code : undefined;
  const posted = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined;
  return posted === undefined ? undefined : Number(posted);
}

/** The code of what kept a request from being answered at all, such as ECONNREFUSED. */
export function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || RawcallError.isInstance(error)) return undefined;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  if (cause instanceof Error) return networkCode(cause) ?? cause.message;
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message)
    ? 'no answer'
    : undefined;
}

/** Whether nobody is there, as opposed to somebody who is slow. */
export function isGone(error: unknown): boolean {
  const code = networkCode(error);
  return code !== undefined && !/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code);
}

/** What a server said in the body of a refusal: of JSON the message, of a web page nothing. */
function serverWords(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const body = message
    .replace(/^.*?(?:Error POSTing to endpoint(?: \(HTTP \d+\))?|SSE error):\s*/s, '')
    .trim();
  if (body === '' || body === 'null' || /^<|^Non-200 status/.test(body)) return '';
  return plainLine(messageIn(body).replace(/\s+/g, ' ')).slice(0, 300);
}

function messageIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  if (!isFields(value)) return '';
  const inner = isFields(value.error) ? value.error.message : undefined;
  const said = [inner, value.error_description, value.message, value.detail, value.error];
  return said.find(one => typeof one === 'string') ?? '';
}
