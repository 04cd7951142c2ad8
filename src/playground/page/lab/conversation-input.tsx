/** Messages and tools, as JSON: in the shape of a chat API, or of an MCP server's list. */
import { playState } from '../shell/news.ts';
import { messages, takeTools, tools } from './conversation-state.ts';
import { JsonField } from './json-field.tsx';

export function ConversationInput() {
  const own = playState.value?.tools.length ?? 0;
  return (
    <>
      <JsonField
        label="Messages"
        text={messages}
        rows={10}
        placeholder='[{"role": "user", "content": "…"}]'
      />
      <JsonField label="Tools" text={tools} rows={8} placeholder="none">
        {own > 0 && (
          <button type="button" class="plain small" onClick={takeTools}>
            Those of the servers ({own})
          </button>
        )}
      </JsonField>
    </>
  );
}
