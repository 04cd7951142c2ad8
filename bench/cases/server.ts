/** A report about the server: it is asked over a socket, and the model says what the case wrote. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from '../../src/engine/engine.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { promptText } from '../../templates/prompt.ts';
import { practiceModel } from '../../test/engine/practice.ts';
import { startServer, type TestServer } from '../../test/server/server.ts';
import { type Answer, type ServerExpected, serverObserved } from './server-wrongs.ts';

export interface ServerCase {
  readonly id: string;
  readonly input: {
    readonly request?: Request;
    readonly requests?: readonly Request[];
    readonly model: readonly (string | { readonly tokens: number })[];
    readonly modelFormat?: string;
    readonly do?: readonly string[];
  };
  readonly expected: ServerExpected;
}

type Request = { readonly tools?: readonly unknown[]; readonly stream?: boolean } & Record<string, unknown>;

/** The format that the reports mean by `llama3`. */
const formatNames: Readonly<Record<string, string>> = { llama3: 'llama3-json' };

export async function serverWrongs(line: string, toolsFile: string): Promise<string[]> {
  const { input, expected } = JSON.parse(line) as ServerCase;
  const { modelFormat = 'hermes' } = input;
  const format = formatNamed(formatNames[modelFormat] ?? modelFormat);
  const engine = await engineFor(input);
  // A server that survived is asked once more.
  const said = recordedEngine([...input.model, 'Still here.'].map(lettersOf), { contextSize: 4096 });
  // Who leaves while it waits needs somebody to wait for.
  const told = engine ?? counting(said, leavesWaiting(input.do) ? 1 : 0);
  const server = await startServer(told, { format });
  const known = JSON.parse(readFileSync(toolsFile, 'utf8')) as readonly { readonly name: string }[];
  try {
    const requests = (input.requests ?? [input.request ?? {}]).map(request => asked(request, known));
    const answers = await ask(server, requests, input.do ?? []);
    const next = expected.nextRequestOk ? await ask(server, [asked({ messages: [hello] }, known)], []) : [];
    return serverObserved(expected, {
      answers,
      next,
      prompt: said.prompts.map(promptText).join('\n'),
      generated: told === engine ? undefined : generatedBy(told),
      written: input.model.flatMap(lettersOf).length,
      errors: server.errors,
    });
  } finally {
    await server.close();
    await engine?.close();
  }
}

const hello = { role: 'user', content: 'Hello?' };

/** What cannot be written down but only held to: the practice model, steered. */
async function engineFor({ model }: ServerCase['input']): Promise<Engine | undefined> {
  const [first] = model;
  if (typeof first !== 'string' || !first.startsWith('constrained:')) return undefined;
  return openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
}

const lettersOf = (one: string | { readonly tokens: number }) =>
  (typeof one === 'string' ? [...one] : Array.from({ length: one.tokens }, () => ' a')).map(text => ({
    text,
  }));

interface Counting extends Engine {
  readonly counted: { generated: number };
}

/** What a recording does not know is counted by the character. */
function counting(engine: Engine, pause = 0): Counting {
  const counted = { generated: 0 };
  return {
    ...engine,
    counted,
    generate(prompt, options) {
      const generation = engine.generate(prompt, options);
      const length = promptText(prompt).length;
      return {
        async *[Symbol.asyncIterator]() {
          for await (const piece of generation) {
            counted.generated++;
            if (pause > 0) await wait(pause);
            yield piece;
          }
        },
        get usage() {
          return { prompt: length, reused: 0, evaluated: length, generated: generation.usage.generated };
        },
        get reason() {
          return generation.reason;
        },
      };
    },
  };
}

function generatedBy(engine: Engine): number {
  return (engine as Counting).counted.generated;
}

function asked(request: Request, known: readonly { readonly name: string }[]): Request {
  const tools = request.tools?.map(tool => {
    const { inputSchema, ...named } = (known.find(({ name }) => name === tool) ?? tool) as {
      readonly inputSchema?: unknown;
    };
    return { type: 'function', function: { ...named, ...(inputSchema ? { parameters: inputSchema } : {}) } };
  });
  return { ...request, ...(tools ? { tools } : {}) };
}

const leavesWaiting = (todo: readonly string[] = []) => todo.some(step => step.startsWith('client 2 closes'));

/** The second of two goes away while it waits, where the case says so. */
async function ask(
  server: TestServer,
  requests: readonly Request[],
  todo: readonly string[],
): Promise<Answer[]> {
  const gone = new AbortController();
  const asking = requests.map(async (body, index): Promise<Answer> => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(index === 1 ? { signal: gone.signal } : {}),
    });
    return { status: response.status, text: await response.text(), stream: body.stream === true };
  });
  if (leavesWaiting(todo)) setTimeout(() => gone.abort(), 50);
  const settled = await Promise.allSettled(asking);
  return settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}
