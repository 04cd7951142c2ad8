/** The blocks that only Llama 3 has. */
import { callList } from './call-list.ts';
import { fill, markerHere, type Steps } from './input.ts';
import { literalReader } from './literal.ts';
import { cutMessage } from './object-call.ts';
import { type Block, type CallForm, readInto, type Session, stopHere } from './session.ts';

const codeTool = 'code_interpreter';

/** `<|python_tag|>`, then calls, a built-in tool's `NAME.call(…)`, or bare code for the code tool. */
export function pythonTagBlock(form: CallForm): Block {
  return {
    open: '<|python_tag|>',
    *read(session, mark) {
      const { input, calls, prose } = session;
      const list = input.mark();
      const held = calls.hold();
      const result = yield* callList(session, {
        form,
        mark: list,
        tentative: true,
        strangers: true,
        nameSuffix: '.call',
        decided: held.commit,
      });
      input.release(mark);
      prose.block();
      if (result.calls > 0) prose.add(result.rest);
      else {
        held.abandon();
        if (calls.known(codeTool)) yield* code(session, result.rest, list.start);
        else prose.add(result.rest);
        input.release(list);
      }
      return true;
    },
  };
}

function* code(session: Session, begun: string, start: number): Steps {
  const { input, calls } = session;
  const mark = input.mark();
  const call = calls.open(start);
  call.named(codeTool);
  call.add('{"code":"');
  const add = (text: string) => call.add(JSON.stringify(text).slice(1, -1));
  let text = begun.trimStart();
  while (yield* fill(input)) {
    if (yield* stopHere(session)) break;
    const from = input.at++;
    while (input.at < input.text.length && input.text[input.at] !== '<') input.at++;
    text += input.text.slice(from, input.at);
    const body = text.trimEnd();
    add(body);
    text = text.slice(body.length);
  }
  call.add('"}');
  if (session.reason && session.reason !== 'stop') call.fail('truncated', cutMessage);
  call.end(input.position(), () => begun + input.since(mark));
  input.release(mark);
  session.prose.block();
}

/** `<function=NAME>{…}</function>`. */
export const functionTagBlock: Block = {
  open: '<function=',
  close: '</function>',
  *read(session, mark) {
    const { input, calls, prose } = session;
    let name = '';
    let char = '';
    while (yield* fill(input)) {
      char = input.text[input.at] ?? '';
      if (!/[\w.\-$]/.test(char)) break;
      name += char;
      input.at++;
    }
    if (char !== '>' || name === '') return false;
    input.at++;
    const call = calls.open(mark.start);
    call.named(name);
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      guide: call.guide,
      repaired: call.repaired,
    });
    yield* readInto(session, reader, call.add);
    if (reader.state === 'open') call.fail('truncated', cutMessage);
    else if (reader.failure) call.fail(reader.failure.problem, reader.failure.message);
    let closed: string | undefined;
    while ((yield* fill(input)) && !closed) {
      closed = yield* markerHere(input, ['</function>']);
      if (closed) input.at += closed.length;
      else if (!call.failed && !/\s/.test(input.text[input.at] ?? '')) break;
      else input.at++;
    }
    if (!closed && !call.failed) call.repaired('missing-close');
    call.end(input.position(), () => input.since(mark));
    input.release(mark);
    prose.block();
    return true;
  },
};
