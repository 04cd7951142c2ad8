import type { ViewProps } from '../shell/route.ts';

export function ChatView(_: ViewProps) {
  return <h1>Chat</h1>;
}
