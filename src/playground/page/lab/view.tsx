import type { ViewProps } from '../shell/route.ts';

export function LabView(_: ViewProps) {
  return <h1>Lab</h1>;
}
