/** The agent's loop behind one request: calls of the server's own tools run here, until there is an answer or a call that is the client's. */
import { RawcallError } from '../../parsers/error.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';
import { createAgent } from '../agent/agent.ts';
import { approval } from '../agent/approval.ts';
import type { Constrain } from '../model/constrain.ts';
import type { Model, TurnOptions } from '../model/model.ts';
import { type Seen, type ServedEvent, servedRun } from './served-run.ts';
import type { Offer, RunsHere, ServerTools } from './server-tools.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ToolLoop {
  readonly model: Model;
  readonly tools: ServerTools;
  readonly offer: Offer;
  readonly request: TurnRequest;
  readonly messages: readonly Message[];
  readonly render: RenderOptions;
  readonly constrain: Constrain;
  readonly signal: AbortSignal;
  /** What a turn is held to besides. */
  turnOptions(constrain: Constrain, isFirst: boolean): Partial<TurnOptions>;
}

/** What the client sees of it, and the messages behind that. */
export interface Looped {
  readonly seen: Seen;
  readonly behind: readonly Message[];
}

/** Without `runs` all that can run here is what finds tools, which nobody has to approve. */
const nothingRuns: RunsHere = { approve: approval({ mode: 'never' }), policy: {} };

export async function* toolLoop(loop: ToolLoop): AsyncGenerator<ServedEvent, Looped> {
  const { tools, offer, request, messages, render, constrain, signal } = loop;
  const { approve, policy, maxRounds, maxSeconds } = tools.runs ?? nothingRuns;
  const { schema = 'native', generationPrompt: _, ...rendered } = render;
  const agent = createAgent({
    model: asAsked(loop),
    tools: offer.source,
    approve,
    handBack: offer.handBack,
    policy: { ...(schema === 'none' ? {} : { schema }), ...policy },
    messages,
    render: rendered,
    constrain,
    sampling: request.sampling,
    maxTokens: request.maxTokens ?? Number.MAX_SAFE_INTEGER,
    ...(maxRounds === undefined ? {} : { maxRounds }),
    limits: {
      ...(request.maxTokens === undefined ? {} : { runTokens: request.maxTokens }),
      ...(maxSeconds === undefined ? {} : { runSeconds: maxSeconds }),
    },
  });
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const { answerTurn = 'with-schema' } = policy;
  const run = agent.run(question, { messages: [], signal });
  try {
    const seen = yield* servedRun(run, { offer, answerTurn, origin: tools.origin });
    return { seen, behind: agent.messages.slice(messages.length) };
  } catch (error) {
    if (!RawcallError.isInstance(error) || error.code !== 'prompt_too_long') throw error;
    throw new RawcallError(error.code, error.message, { ...error.details, field: request.field });
  }
}

/** The model, each turn of which is held to what the request asks. The engine finds by itself which prompts continue each other. */
function asAsked({ model, request, turnOptions }: ToolLoop): Model {
  let turns = 0;
  return {
    ...model,
    turn(prompt, { lane: _, callTokens: __, maxTokens, only, parallel, ...options }) {
      return model.turn(prompt, {
        ...options,
        ...turnOptions(options.constrain ?? 'off', ++turns === 1),
        // What the loop itself holds a turn to is narrower.
        ...(only ? { only } : {}),
        ...(parallel === undefined ? {} : { parallel }),
        ...(request.maxTokens === undefined || maxTokens === undefined ? {} : { maxTokens }),
      });
    },
  };
}
