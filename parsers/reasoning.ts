/**
 * Reads a thought up to its closing marker. A call in it is a draft. Only where the thought never closes and a call is the last
 * thing in it is that call read: then nothing can make it a draft any more.
 */
import { fill, type Input, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import type { Session } from './session.ts';

/** `position`: where its opening marker stood; the input is behind it. */
export function* reasoning(session: Session, position: number): Steps {
  const { input, syntax, thoughts, prose, stops } = session;
  const { open, close, label } = syntax.thinking;
  const opens = syntax.blocks.map(block => block.open);
  const closes = syntax.blocks.map(block => block.close).filter(one => one !== undefined);
  const markers = [...new Set([close, open, ...opens, ...closes, ...stops])];
  const firsts = new Set(markers.map(marker => marker[0]));
  /** A call that was begun in the thought, from there on nothing is said until it is known what it is. */
  let draft: Mark | undefined;
  thoughts.block();
  const opened = open + (yield* skip(input, label));

  while (yield* fill(input)) {
    const start = input.at;
    while (input.at < input.text.length && !firsts.has(input.text[input.at])) input.at++;
    if (input.at > start) {
      if (!draft) thoughts.add(input.text.slice(start, input.at));
      continue;
    }
    const marker = yield* markerHere(input, markers);
    if (marker === close) {
      settle();
      input.at += marker.length;
      thoughts.block();
      prose.block();
      return;
    }
    if (marker !== undefined && stops.includes(marker)) break;
    if (marker === open && !thoughts.said && !draft) {
      // A model that was given the opening marker may write it again.
      input.at += marker.length;
      yield* skip(input, label);
      continue;
    }
    if (marker !== undefined && opens.includes(marker)) draft ??= input.mark();
    const text = marker ?? input.text[input.at] ?? '';
    input.at += text.length;
    if (!draft) thoughts.add(text);
    else if (marker !== undefined && closes.includes(marker)) {
      // Words behind the call show that the thought goes on.
      yield* readSpace(input);
      if (!(yield* fill(input))) break;
      const next = yield* markerHere(input, markers);
      if (next === undefined) settle();
    }
  }

  const { calls } = session;
  // What of it the prompt held is no part of the completion.
  const start = Math.max(0, position);
  const raw = opened.slice(start - position);
  const cut = session.reason !== undefined && session.reason !== 'stop';
  // Words behind a call that no marker closes show it too.
  if (cut || (draft && !/[}\])>]\s*$/.test(input.since(draft)))) settle();
  if (draft) thoughts.block();
  else thoughts.flush();
  calls.problem(
    'unclosed_reasoning',
    raw,
    { start, end: start + raw.length },
    `The thought was never closed with ${close}${draft ? '' : ', so there is no answer'}.`,
  );
  prose.block();
  if (!draft) return;
  session.everyCall = 'unclosed-reasoning';
  input.rewind(draft);

  function settle(): void {
    if (!draft) return;
    thoughts.add(input.since(draft));
    input.release(draft);
    draft = undefined;
  }
}

/** Reads this text, if it stands here. */
function* skip(input: Input, text: string | undefined): Steps<string> {
  const found = text === undefined ? undefined : yield* markerHere(input, [text]);
  input.at += found?.length ?? 0;
  return found ?? '';
}
