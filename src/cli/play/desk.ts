/** What the playground stands on, out of the settings of a start. */
import { type ApprovalRules, approvalMode } from '../../agent/approval.ts';
import { formats } from '../../format.ts';
import type { Host } from '../../mcp/host.ts';
import type { Desk, Place } from '../../playground/desk.ts';
import type { Knobs, ModelChoice, PlayServer, PlayState, PlayTool } from '../../playground/protocol.ts';
import { packageVersion } from '../package.ts';
import type { agentMaker } from '../recording.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';
import { checkKnobs, defaultKnobs, knobSettings, valuesWith } from './knobs.ts';
import type { Held, Models } from './models.ts';
import { openPlace } from './place.ts';

export interface DeskOptions {
  readonly values: Values;
  readonly models: Models;
  readonly host: Host;
  readonly rules: ApprovalRules;
  readonly makeAgent: ReturnType<typeof agentMaker>;
  readonly choices: readonly ModelChoice[];
  readonly changes: Changes;
}

/** Who wants to know of a change, and who knows of one. */
export interface Changes {
  tell(): void;
  watch(changed: () => void): () => void;
}

export function openChanges(): Changes {
  const watchers = new Set<() => void>();
  return {
    tell() {
      for (const changed of watchers) changed();
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };
}

export function openDesk({ values, models, host, rules, makeAgent, choices, changes }: DeskOptions): Desk {
  /** Each is of interest once, however many questions it holds for. */
  const told = new Set<string>();
  function onNotice(message: string): void {
    if (!told.has(message)) notice(message);
    told.add(message);
  }

  async function place(held: Held, knobs: Knobs): Promise<Place> {
    try {
      const asked = valuesWith(values, knobs);
      const { toolsOff = [] } = knobs;
      return await openPlace({ held, values: asked, toolsOff, host, makeAgent, onNotice });
    } catch (error) {
      held[Symbol.dispose]();
      throw error;
    }
  }

  return {
    host,
    watch: changed => changes.watch(changed),
    check: checkKnobs,
    async take(knobs, signal) {
      return place(await models.take(valuesWith(values, knobs), signal), knobs);
    },
    async present(knobs) {
      const held = models.present(valuesWith(values, knobs));
      return held && place(held, knobs);
    },
    state(): PlayState {
      return {
        version: packageVersion(),
        model: models.state,
        models: choices,
        formats: [...formats.map(({ name }) => name), 'jinja'],
        servers: host.servers.map(serverOf),
        tools: host.tools.map(tool => {
          const { name, description, inputSchema, annotations } = tool;
          const owner = host.origin(name);
          return {
            name,
            inputSchema,
            ...(description === undefined ? {} : { description }),
            ...(annotations === undefined ? {} : { annotations }),
            ...(owner ? { server: owner.server, tool: owner.tool } : {}),
            approval: approvalMode(rules, name, tool),
          } satisfies PlayTool;
        }),
        knobs: knobSettings,
        defaults: defaultKnobs(values),
      };
    },
  };
}

function serverOf({ name, state, reason, warnings, problems }: Host['servers'][number]): PlayServer {
  const odd = [
    ...warnings.map(({ message }) => message),
    ...problems.map(({ tool, message }) => `${tool}: ${message}`),
  ];
  return { name, state, ...(reason === undefined ? {} : { reason }), warnings: odd };
}
