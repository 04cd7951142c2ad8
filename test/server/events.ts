/** The named events of a stream, read from its bytes. */
import { expect } from 'vitest';

export interface NamedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what tests look into is what they test
  readonly data: any;
}

/** Comments are left out. */
export function namedEvents(text: string): NamedEvent[] {
  expect(text).toMatch(/\n\n$/);
  return text
    .slice(0, -2)
    .split('\n\n')
    .filter(block => !block.startsWith(':'))
    .map(block => {
      const [, event = '', json = ''] = /^event: (\S+)\ndata: (.+)$/.exec(block) ?? [];
      const data = JSON.parse(json) as { type: string };
      expect(data.type).toBe(event);
      return { event, data };
    });
}
