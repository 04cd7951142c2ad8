/** What a client makes of the server's answers, compared with what a case expects. */
import { isDeepStrictEqual } from 'node:util';

export interface ServerExpected {
  readonly status?: number;
  readonly finishReason?: string;
  readonly message?: {
    readonly content?: string;
    readonly hasToolCalls?: boolean;
    readonly contentKeyPresent?: boolean;
    readonly contentIsNullOrEmpty?: boolean;
  };
  readonly deltaIndexes?: readonly number[];
  readonly namePerIndexOnce?: boolean;
  readonly idPerIndexOnce?: boolean;
  readonly argsPerIndex?: readonly string[];
  readonly assembledByOpenAiRules?: number;
  readonly contentConcat?: string;
  readonly contentConcatTrimmed?: string;
  readonly reasoningConcatTrimmed?: string;
  readonly contentDeltasMin?: number;
  readonly contentExcludes?: readonly string[];
  readonly calls?: readonly string[];
  readonly usageChunks?: number;
  readonly usageChunkChoices?: readonly unknown[];
  readonly usage?: Readonly<Record<string, string>>;
  readonly lastLine?: string;
  readonly promptTools?: string;
  readonly stopsAfterFirstCall?: boolean;
  readonly argumentsParse?: boolean;
  readonly arguments?: readonly unknown[];
  readonly serverAlive?: boolean;
  readonly nextRequestOk?: boolean;
  readonly contentNonEmptyOrError?: boolean;
  readonly request1?: { readonly tokens: number; readonly finishReason: string };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly stream: boolean;
}

export interface ServerObserved {
  readonly answers: readonly Answer[];
  readonly next: readonly Answer[];
  readonly prompt: string;
  /** Pieces that were asked for; nothing where a real model wrote them. */
  readonly generated: number | undefined;
  readonly written: number;
  readonly errors: readonly unknown[];
}

interface Call {
  readonly id?: string;
  readonly index?: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}
interface Message {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly Call[];
}
interface Chunk {
  readonly choices: readonly {
    readonly delta?: Message;
    readonly message?: Message;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Readonly<Record<string, unknown>> | null;
}

export function serverObserved(expected: ServerExpected, seen: ServerObserved): string[] {
  const wrongs: string[] = [];
  const must = (right: boolean, what: string) => void (right || wrongs.push(what));
  const same = (what: string, wanted: unknown, got: unknown) =>
    must(
      wanted === undefined || isDeepStrictEqual(wanted, got),
      `${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`,
    );
  const [answer] = seen.answers;
  if (!answer) return ['there is no answer'];
  const chunks = chunksOf(answer);
  const parts = chunks.flatMap(({ choices }) => choices.map(({ delta, message }) => delta ?? message ?? {}));
  const content = parts.map(part => part.content ?? '').join('');
  const finish = chunks.flatMap(({ choices }) => choices.flatMap(choice => choice.finish_reason ?? []));
  const deltas = parts.flatMap(part => part.tool_calls ?? []);
  const calls = assembled(deltas);
  const texts = calls.map(call => call.arguments);

  same('status', expected.status ?? 200, answer.status);
  same('errors of the server', [], seen.errors);
  same('finish reasons', expected.finishReason === undefined ? undefined : [expected.finishReason], finish);
  messageWrongs();
  same('indexes', expected.deltaIndexes, [...new Set(deltas.map(({ index }) => index))]);
  if (expected.namePerIndexOnce) onceEach('name', delta => delta.function?.name);
  if (expected.idPerIndexOnce) onceEach('id', delta => delta.id);
  same(
    'arguments',
    expected.argsPerIndex?.map(text => JSON.parse(text)),
    texts.map(parsed),
  );
  same('assembled', expected.assembledByOpenAiRules, calls.length);
  same('content', expected.contentConcat, content);
  same('content', expected.contentConcatTrimmed, content.trim());
  same(
    'reasoning',
    expected.reasoningConcatTrimmed,
    parts
      .map(part => part.reasoning_content ?? '')
      .join('')
      .trim(),
  );
  const contentDeltas = parts.filter(part => part.content).length;
  must(contentDeltas >= (expected.contentDeltasMin ?? 0), `${contentDeltas} deltas of content`);
  for (const part of expected.contentExcludes ?? []) must(!content.includes(part), `content with ${part}`);
  same(
    'calls',
    expected.calls,
    calls.map(({ name }) => name),
  );
  usageWrongs();
  if (expected.lastLine) same('last line', expected.lastLine, answer.text.trimEnd().split('\n').at(-1));
  if (expected.promptTools) must(!/get_weather|list_items/.test(seen.prompt), 'the prompt shows the tools');
  if (expected.stopsAfterFirstCall)
    must((seen.generated ?? seen.written) < seen.written, 'it went on after its first call');
  if (expected.argumentsParse)
    must(
      texts.every(text => parsed(text) !== undefined),
      `arguments: ${texts}`,
    );
  same('arguments', expected.arguments, texts.map(parsed));
  if (expected.serverAlive || expected.nextRequestOk)
    same(
      'next request',
      [200],
      seen.next.map(({ status }) => status),
    );
  if (expected.contentNonEmptyOrError)
    must(content.trim() !== '' || answer.text.includes('"error"'), 'neither text nor error');
  if (expected.request1) {
    const { tokens, finishReason } = expected.request1;
    same('tokens', tokens, content.split(' a').length - 1);
    same('finish', [finishReason], finish);
    same('answers', 1, seen.answers.length);
  }
  return wrongs;

  function messageWrongs(): void {
    const { message = {} } = expected;
    same('content', message.content, content);
    same('has calls', message.hasToolCalls, calls.length > 0);
    const [part = {}] = parts;
    if (message.contentKeyPresent) must('content' in part, 'there is no content');
    if (message.contentIsNullOrEmpty) must((part.content ?? '') === '', `content: ${part.content}`);
  }

  function onceEach(what: string, of: (delta: Call) => string | undefined): void {
    const told = deltas.filter(delta => of(delta) !== undefined).map(({ index }) => index);
    must(new Set(told).size === told.length && told.length === calls.length, `${what} at ${told}`);
  }

  function usageWrongs(): void {
    const last = chunks.filter(({ usage }) => usage);
    if (expected.usageChunks !== undefined) same('chunks with usage', expected.usageChunks, last.length);
    same('their choices', expected.usageChunkChoices, last.at(-1)?.choices);
    for (const [name, rule] of Object.entries(expected.usage ?? {})) {
      const usage = last.at(-1)?.usage ?? {};
      const value = name
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], usage);
      if (rule === '>0') must(Number(value) > 0, `${name}: ${value}`);
      else if (rule === 'present') must(value !== undefined, `no ${name}`);
      else if (rule === 'sum')
        same(name, Number(usage.prompt_tokens) + Number(usage.completion_tokens), usage.total_tokens);
    }
  }
}

function chunksOf({ text, stream }: Answer): Chunk[] {
  if (!stream) return [JSON.parse(text) as Chunk];
  return text
    .split('\n')
    .filter(line => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map(line => JSON.parse(line.slice('data: '.length)) as Chunk)
    .filter(chunk => 'choices' in chunk);
}

/** As OpenAI's own clients put deltas together: by their index, and a whole answer's by their place. */
function assembled(deltas: readonly Call[]): { name: string; arguments: string }[] {
  const calls = new Map<number, { name: string; arguments: string }>();
  for (const [place, { index = place, function: part = {} }] of deltas.entries()) {
    const call = calls.get(index) ?? { name: '', arguments: '' };
    calls.set(index, {
      name: call.name + (part.name ?? ''),
      arguments: call.arguments + (part.arguments ?? ''),
    });
  }
  return [...calls.values()];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
