/** Reads the events of one run, as they come, into the items that are shown of it. */
import { type Signal, signal } from '@preact/signals';
import type { PlayEvent } from '../../protocol.ts';
import type { CallItem, ElicitationItem, ExchangeState, Item, TextItem, TurnItem } from './items.ts';

export type RunReader = (event: PlayEvent) => void;

/** Reads the events of one run into its items. */
export function readRun(
  items: Signal<readonly Item[]>,
  state: Signal<ExchangeState>,
  isNewPolicy: (reason: string) => boolean,
): RunReader {
  /** By id, the newest of that id. */
  const calls = new Map<string, CallItem>();
  /** Of the turn that goes on, by the place in which they were written. */
  let written: CallItem[] = [];
  let turn: TurnItem | undefined;

  function add<Added extends Item>(item: Added): Added {
    items.value = [...items.value, item];
    return item;
  }

  function note(text: string, tone: 'quiet' | 'bad' = 'quiet'): void {
    add({ kind: 'note', tone, text });
  }

  function write(kind: 'text' | 'reasoning', text: string): void {
    const last = items.value.at(-1);
    if (last?.kind === kind) last.text.value += text;
    else add<TextItem>({ kind, text: signal(text), superseded: signal(false) });
  }

  function addCall(id: string, name: string, argumentsText: string): CallItem {
    const item = add<CallItem>({
      kind: 'call',
      id,
      name,
      argumentsText: signal(argumentsText),
      repairs: signal([]),
      state: signal({ phase: 'writing' }),
    });
    calls.set(id, item);
    return item;
  }

  function close(phase: 'stopped'): void {
    for (const item of items.value) {
      if (item.kind === 'call' && isOpen(item)) item.state.value = { phase };
      if (item.kind === 'elicitation' && item.state.value.phase === 'open')
        item.state.value = { phase: 'closed' };
    }
  }

  return event => {
    switch (event.type) {
      case 'run-start':
        if (event.policy.reason !== undefined && isNewPolicy(event.policy.reason))
          note(`Turns: ${event.policy.reason}.`);
        return;
      case 'turn-start': {
        if (event.purpose === 'answer') supersede(items.value);
        written = [];
        const { turn: number, purpose, tokens } = event;
        turn = add<TurnItem>({ kind: 'turn', turn: number, purpose, tokens, usage: signal([]) });
        return;
      }
      case 'text-delta':
        return write('text', event.text);
      case 'reasoning-delta':
        return write('reasoning', event.text);
      case 'call-start':
        written[event.index] = addCall(event.id, event.name, '');
        return;
      case 'call-delta': {
        const call = written[event.index];
        if (call) call.argumentsText.value += event.argumentsText;
        return;
      }
      case 'call-end': {
        const call = written[event.index];
        if (!call) return;
        call.argumentsText.value = event.call.argumentsText;
        call.state.value = { phase: 'written' };
        return;
      }
      case 'call-failed': {
        const { index, id, name, problem, message, raw } = event;
        if (index === -1) return note(`${problem}: ${message}`, 'bad');
        const call = written[index] ?? addCall(id, name ?? '', '');
        call.state.value = { phase: 'unreadable', problem, message, raw };
        return;
      }
      case 'repaired': {
        const call = written[event.index];
        if (call) call.repairs.value = [...call.repairs.value, event.repair];
        else note(`repaired: ${event.repair}`);
        return;
      }
      case 'call-extended':
        return note(`A call was not whole at the token limit; it goes on with ${event.tokens} more.`);
      case 'completion-end':
        return event.reason === 'length' ? note('Cut by the token limit.', 'bad') : undefined;
      case 'usage':
        if (turn) turn.usage.value = [...turn.usage.value, event];
        return;
      case 'approval-start': {
        const { ask, call, server, tool } = event;
        const item = calls.get(call.id) ?? addCall(call.id, call.name, call.argumentsText);
        item.state.value = { phase: 'asking', ask, call, server, tool };
        return;
      }
      case 'approval-end': {
        const item = calls.get(event.call.id);
        if (!item) return;
        item.state.value = event.allowed
          ? { phase: 'written' }
          : { phase: 'rejected', reason: event.reason, result: undefined };
        return;
      }
      case 'tool-start': {
        const item = calls.get(event.call.id);
        if (item) item.state.value = { phase: 'running', progress: undefined };
        return;
      }
      case 'tool-progress': {
        const item = calls.get(event.call.id);
        if (item) item.state.value = { phase: 'running', progress: event };
        return;
      }
      case 'tool-end': {
        const { call, result, source, leftOut, whole } = event;
        const item = calls.get(call.id);
        if (!item) return;
        const before = item.state.value;
        if (before.phase === 'rejected' || before.phase === 'unreadable')
          item.state.value = { ...before, result };
        else item.state.value = { phase: 'ended', result, source, leftOut, whole };
        return;
      }
      case 'elicitation-start': {
        const { ask, seq: _seq, at: _at, type: _type, ...request } = event;
        add<ElicitationItem>({ kind: 'elicitation', ask, request, state: signal({ phase: 'open' }) });
        return;
      }
      case 'elicitation-end': {
        const item = items.value.findLast(
          one => one.kind === 'elicitation' && one.request.server === event.server,
        ) as ElicitationItem | undefined;
        const { action, reason } = event;
        if (item) item.state.value = { phase: 'answered', action, reason };
        return;
      }
      case 'ask-end':
        for (const item of items.value)
          if (item.kind === 'elicitation' && item.ask === event.ask && item.state.value.phase === 'open')
            item.state.value = { phase: 'closed' };
        return;
      case 'sampling-start':
        return note(`${event.server} asks the model for a text of at most ${event.maxTokens} tokens.`);
      case 'sampling-end':
        return note(
          'reason' in event
            ? `${event.server} got no text of the model: ${event.reason}`
            : `${event.server} got a text of the model: ${event.text}`,
        );
      case 'resource-attached': {
        const cut = event.leftOut === undefined ? '' : `; ${event.leftOut} in its middle are left out`;
        return note(`Attached: ${event.server}:${event.uri}, ${event.characters} characters${cut}.`);
      }
      case 'guard':
        return note(event.message, 'bad');
      case 'history-trimmed':
        return note(`${event.messages} messages of earlier exchanges did not fit into the context.`);
      case 'tools-changed':
        return note(toolsChanged(event));
      case 'run-end': {
        const { type: _type, seq: _seq, at: _at, ...result } = event;
        close('stopped');
        state.value = { phase: 'ended', ...result };
        return;
      }
      case 'run-failed':
        close('stopped');
        state.value = { phase: 'failed', code: event.code, message: event.message };
        return;
    }
  };
}

function isOpen({ state }: CallItem): boolean {
  return ['writing', 'written', 'asking', 'running'].includes(state.value.phase);
}

/** What a decision turn said stands back where an answer turn follows: the answer is said there. */
function supersede(items: readonly Item[]): void {
  for (const item of items.slice(items.findLastIndex(({ kind }) => kind === 'turn')))
    if (item.kind === 'text') item.superseded.value = true;
}

function toolsChanged({ added, removed, changed, tokens }: Extract<PlayEvent, { type: 'tools-changed' }>) {
  const parts = [
    ...(added.length > 0 ? [`with ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`without ${removed.join(', ')}`] : []),
    ...(changed.length > 0 ? [`${changed.join(', ')} changed`] : []),
  ];
  const cost = tokens === undefined ? '' : `: ${tokens} tokens are evaluated anew`;
  return `The tools are others than before (${parts.join('; ')})${cost}.`;
}
