/**
 * The secret of this start of the program, which proves to the server that a request comes from who was given its address. It
 * comes behind the `#`, which no browser sends anywhere, and is gone from the address bar at once.
 */
const key = 'rawcall-token';

/** Runs before anything reads the address. A reload, and a tab made from this one, find it again. */
export function takeToken(): void {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem(key, decodeURIComponent(given));
  history.replaceState(null, '', '#/chat');
}

export function token(): string {
  return sessionStorage.getItem(key) ?? '';
}
