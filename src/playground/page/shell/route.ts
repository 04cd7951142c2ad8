/** Which view is shown, told by the part of the address behind `#`: `#/chat/ID`, `#/raw/ID/TURN`, `#/lab`, `#/runs`. */
import { signal } from '@preact/signals';

export const viewNames = ['chat', 'raw', 'lab', 'runs'] as const;
export type ViewName = (typeof viewNames)[number];

export interface Route {
  readonly view: ViewName;
  /** What follows the view's name. */
  readonly path: readonly string[];
}

/** What a view is given: what of the address is its own. */
export type ViewProps = Pick<Route, 'path'>;

export const route = signal(read());

addEventListener('popstate', () => {
  route.value = read();
});

export function addressOf(view: ViewName, ...path: readonly (string | number)[]): string {
  return `#/${[view, ...path.map(part => encodeURIComponent(part))].join('/')}`;
}

export function go(view: ViewName, ...path: readonly (string | number)[]): void {
  location.hash = addressOf(view, ...path);
}

function read(): Route {
  const [view, ...path] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);
  return { view: viewNames.find(name => name === view) ?? 'chat', path };
}

/** A part that somebody typed may be no encoding of anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
