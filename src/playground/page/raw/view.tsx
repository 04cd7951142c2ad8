import type { ViewProps } from '../shell/route.ts';

export function RawView(_: ViewProps) {
  return <h1>Raw</h1>;
}
