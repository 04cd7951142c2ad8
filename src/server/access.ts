/** Who may ask: loopback alone by default, no page of another origin, and whoever knows the key where there is one. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { refuse } from './api-error.ts';

export interface Access {
  /** Names by which this server may be called besides those of loopback, without a port. */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may ask. Default: none. */
  readonly origins?: readonly string[];
  /** Asked for as a bearer token or as `x-api-key`. Default: none is asked for. */
  readonly key?: string;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export function guardAccess({ hosts = [], origins = [], key }: Access): MiddlewareHandler {
  const allowedHosts = new Set([...loopback, ...hosts].map(host => host.toLowerCase()));
  return async (context, next) => {
    // A page that had its own name point here would be of the same origin as this server.
    const host = hostName(context.req.header('host') ?? '');
    if (!allowedHosts.has(host))
      forbid(`This server does not answer to the name "${host}". Start it with --allow-host ${host}.`);
    const origin = context.req.header('origin');
    if (origin !== undefined) {
      if (!origins.includes(origin) && !isOwn(origin, context.req.header('host') ?? ''))
        forbid(`Pages of ${origin} may not ask this server. Start it with --allow-origin ${origin}.`);
      context.header('access-control-allow-origin', origin);
      context.header('vary', 'origin');
      if (context.req.method === 'OPTIONS') {
        context.header('access-control-allow-methods', 'GET, POST');
        // Each client brings headers of its own, and none of them opens anything but the key.
        const headers = context.req.header('access-control-request-headers');
        if (headers !== undefined) context.header('access-control-allow-headers', headers);
        return context.body(null, 204);
      }
    }
    if (key !== undefined && !matches(givenKey(context.req.raw.headers), key))
      refuse({
        status: 401,
        type: 'authentication_error',
        code: 'invalid_api_key',
        message: 'The API key is missing or wrong. Send it as "Authorization: Bearer KEY".',
      });
    return next();
  };
}

function forbid(message: string): never {
  return refuse({ status: 403, type: 'invalid_request_error', code: 'forbidden', message });
}

/** Without the port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** The page that this server itself gave out. */
function isOwn(origin: string, host: string): boolean {
  return host !== '' && origin === `http://${host}`;
}

function givenKey(headers: Headers): string {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return (bearer ?? headers.get('x-api-key') ?? '').trim();
}

/** In a time that does not depend on where they differ, or on how long the given one is. */
function matches(given: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}
