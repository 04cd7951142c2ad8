/** What of the servers' tools the model is offered, as `--tools` says. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { RenderOptions } from '../../templates/template.ts';
import { decisionView, type TurnPolicy } from '../agent/policy.ts';
import { toolChoice, toolShare } from '../agent/tool-choice.ts';
import type { Host } from '../mcp/host.ts';
import type { Model } from '../model/model.ts';
import type { ToolSource } from '../tools.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';

export interface OfferedToolsOptions {
  readonly host: Host;
  readonly model: Model;
  readonly contextSize: number;
  readonly policy: TurnPolicy;
  readonly render: RenderOptions;
  /** For people. Default: on stderr. */
  readonly onNotice?: (message: string) => void;
}

export function offeredTools(values: Values, options: OfferedToolsOptions): ToolSource {
  return toolOffers(values, options)();
}

/** What it gives offers anew each time, to dialogues that know nothing of each other. */
export function toolOffers(
  { tools: which = 'auto' }: Values,
  { host, model, contextSize, policy, render, onNotice = notice }: OfferedToolsOptions,
): () => ToolSource {
  if (which === 'all') return () => host;
  const budget = Math.floor(contextSize * toolShare);
  const count = countedOnce((tools: readonly ToolDefinition[]) => {
    const view = decisionView({ messages: [{ role: 'user', content: '' }], tools }, policy, render);
    return model.render(view.conversation, view.render).size?.bill().tools ?? 0;
  });
  const total = count(host.tools);
  if (total > budget)
    onNotice(
      `The ${host.tools.length} tools are ${total} tokens, and of the context's ${contextSize} a third is for tools: each question gets those that fit it best, and find_tools. All of them: --tools all`,
    );
  return () => toolChoice({ source: host, budget, count, serverOf: name => host.origin(name)?.server });
}

/** The same few lists are counted again and again. */
function countedOnce(
  count: (tools: readonly ToolDefinition[]) => number,
): (tools: readonly ToolDefinition[]) => number {
  const counts = new WeakMap<object, number>();
  return tools => {
    // A list of one is made for the question; the tool is the same.
    const key = tools.length === 1 ? tools[0]! : tools;
    const counted = counts.get(key) ?? count(tools);
    counts.set(key, counted);
    return counted;
  };
}
