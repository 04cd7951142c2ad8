import type { ViewProps } from '../shell/route.ts';

export function RunsView(_: ViewProps) {
  return <h1>Runs</h1>;
}
