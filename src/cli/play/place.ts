/** A question's place at the model: what its settings make of model and tools. */
import type { Piece, ToolDefinition } from '../../../parsers/parser.ts';
import { type AgentOptions, createAgent } from '../../agent/agent.ts';
import { decisionView } from '../../agent/policy.ts';
import { createSampler } from '../../agent/sampler.ts';
import type { Host } from '../../mcp/host.ts';
import type { Model } from '../../model/model.ts';
import type { Place } from '../../playground/desk.ts';
import { agentSettings } from '../agent-settings.ts';
import { withAttachments } from '../mcp/attach.ts';
import { offeredTools } from '../offered-tools.ts';
import type { agentMaker } from '../recording.ts';
import type { Values } from '../settings.ts';
import type { Held } from './models.ts';

export interface PlaceOptions {
  readonly held: Held;
  readonly values: Values;
  readonly toolsOff: readonly string[];
  readonly host: Host;
  readonly makeAgent: ReturnType<typeof agentMaker>;
  readonly onNotice: (message: string) => void;
}

export async function openPlace({
  held,
  values,
  toolsOff,
  host,
  makeAgent,
  onNotice,
}: PlaceOptions): Promise<Place> {
  const dialogue = await held.dialogue(values);
  const { speaker, contextSize, raw } = dialogue;
  const model = dialogue.model(host.origin);
  const settingsOf = (begun: Date) => agentSettings(values, dialogue, begun);
  const offered = withoutTools(host, new Set(toolsOff));

  return {
    opening: held.opening,
    model,
    speaker,
    contextSize,
    ...(raw ? { raw } : {}),
    agent({ lane, messages, approve, onPiece, calls = source => source, begun, recorded }) {
      const settings = settingsOf(begun);
      const { system, ...rest } = settings;
      const source = offeredTools(values, { ...settings, host: offered, model, contextSize, onNotice });
      const options: AgentOptions = {
        ...rest,
        model: onPiece ? heard(model, onPiece) : model,
        tools: calls(source),
        approve,
        lane,
        messages: [
          ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
          ...messages,
        ],
      };
      return recorded ? makeAgent(options, { dialogue, host, values }) : createAgent(options);
    },
    attached: (question, tell, signal) =>
      withAttachments(question, {
        ...{ host, model, contextSize, signal },
        report: event => {
          if (event.type === 'resource-attached') tell(event);
        },
      }),
    sampler(options) {
      const { render, sampling, maxTokens } = settingsOf(new Date());
      return createSampler({
        ...options,
        model,
        render,
        sampling,
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
    },
    costs(tools) {
      const { policy, render } = settingsOf(new Date());
      const count = (given: readonly ToolDefinition[]) => {
        const view = decisionView(
          { messages: [{ role: 'user', content: '' }], tools: given },
          policy,
          render,
        );
        return model.render(view.conversation, view.render).size?.tokens;
      };
      // Beside one other and not beside all: a thousand tools would be rendered a thousand times.
      const costs = tools.map(tool => {
        const other = tools.find(one => one !== tool);
        const [whole, rest] = [count(other ? [other, tool] : [tool]), count(other ? [other] : [])];
        return whole === undefined || rest === undefined ? undefined : ([tool.name, whole - rest] as const);
      });
      const known = costs.filter(cost => cost !== undefined);
      return known.length === costs.length ? Object.fromEntries(known) : undefined;
    },
    [Symbol.dispose]: () => held[Symbol.dispose](),
  };
}

function heard(model: Model, onPiece: (piece: Piece) => void): Model {
  return {
    ...model,
    turn: (prompt, options) =>
      model.turn(prompt, {
        ...options,
        onPiece(piece) {
          options.onPiece?.(piece);
          onPiece(piece);
        },
      }),
  };
}

/** The same list as long as the host's is: who counts it counts it once. */
function withoutTools(host: Host, off: ReadonlySet<string>): Host {
  if (off.size === 0) return host;
  let given: readonly ToolDefinition[] | undefined;
  let left: readonly ToolDefinition[] = [];
  return {
    ...host,
    get servers() {
      return host.servers;
    },
    get tools() {
      if (given !== host.tools) {
        given = host.tools;
        left = given.filter(({ name }) => !off.has(name));
      }
      return left;
    },
  };
}
