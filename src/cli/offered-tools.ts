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
}

export function offeredTools(
  { tools: which = 'auto' }: Values,
  { host, model, contextSize, policy, render }: OfferedToolsOptions,
): ToolSource {
  if (which === 'all') return host;
  const budget = Math.floor(contextSize * toolShare);
  const count = (tools: readonly ToolDefinition[]) => {
    const view = decisionView({ messages: [{ role: 'user', content: '' }], tools }, policy, render);
    return model.render(view.conversation, view.render).size?.bill().tools ?? 0;
  };
  const total = count(host.tools);
  if (total > budget)
    notice(
      `The ${host.tools.length} tools are ${total} tokens, and of the context's ${contextSize} a third is for tools: each question gets those that fit it best, and find_tools. All of them: --tools all`,
    );
  return toolChoice({
    source: host,
    budget,
    count,
    serverOf: name => host.origin(name)?.server,
  });
}
