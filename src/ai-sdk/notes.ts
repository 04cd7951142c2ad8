/** What was wrong with what the model wrote, and what was mended, as provider metadata. */
import type { JSONObject, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { ServedEvent } from '../server/served-run.ts';

export interface Notes {
  add(event: ServedEvent): void;
  readonly metadata: SharedV3ProviderMetadata;
}

export function openNotes(): Notes {
  const problems: JSONObject[] = [];
  const repairs: string[] = [];
  return {
    add(event) {
      if (event.type === 'repaired') repairs.push(event.repair);
      if (event.type !== 'call-failed') return;
      const { problem, name, message, raw } = event;
      problems.push({ problem, ...(name === undefined ? {} : { toolName: name }), message, raw });
    },
    get metadata() {
      return { rawcall: { problems, repairs } };
    },
  };
}
