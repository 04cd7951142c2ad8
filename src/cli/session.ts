/** A dialogue with everything it needs: model and servers start side by side, and all of it is closed at the end. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Agent, RunOptions } from '../agent/agent.ts';
import { type Approve, approval, approvalMode, parseApproval } from '../agent/approval.ts';
import type { RunResult } from '../agent/events.ts';
import type { Usage } from '../engine/engine.ts';
import type { Host } from '../mcp/host.ts';
import type { Speaker } from '../playground/desk.ts';
import type { ToolSource } from '../tools.ts';
import { agentSettings } from './agent-settings.ts';
import { askUser } from './ask.ts';
import { openDialogueModel } from './dialogue-model.ts';
import { openDuties } from './duties/duties.ts';
import type { Roots } from './duties/roots.ts';
import { toolsFolder } from './folders.ts';
import { knownTools } from './known-tools.ts';
import type { Lines } from './lines.ts';
import { withAttachments } from './mcp/attach.ts';
import { offeredTools } from './offered-tools.ts';
import { openTools, readServers } from './open-tools.ts';
import type { Context } from './program.ts';
import { readSaved } from './read-messages.ts';
import { agentMaker } from './recording.ts';
import type { Report } from './report.ts';
import { resumedMessages } from './saved.ts';

export interface SessionOptions extends Context {
  readonly report: Report;
  /** Where approvals are answered. Absent: what would be asked is refused. */
  readonly lines?: Lines;
  /** A file with a dialogue to go on from. */
  readonly resume?: string;
}

export interface Session {
  readonly agent: Agent;
  readonly speaker: Speaker;
  /** In tokens; without end where it is not known. */
  readonly contextSize: number;
  /** The servers, and all the tools that they have. */
  readonly host: Host;
  /** As the model sees them: all, or those that a question is asked with. */
  readonly offered: ToolSource;
  /** Folders that servers are told of; who adds one tells them by `host.rootsChanged`. */
  readonly roots: Roots;
  /** Names of the tools whose calls ask for approval. */
  readonly asking: readonly string[];
  /** Of the last turn. */
  readonly lastPrompt: Prompt | undefined;
  readonly usages: readonly Usage[];
  /**
   * One run, with what the question mentions, or with messages in its place as they are. An interrupt ends it with the reason
   * `aborted`.
   */
  answer(question: string, messages?: RunOptions['messages']): Promise<RunResult>;
  /** Interrupts the run in progress, and waits until what it has written is in the dialogue. */
  stop(): Promise<void>;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { lifetime, values, report, lines, resume } = options;
  // Checked before anything starts: a mistake in a rule or a file must not cost the loading of a model.
  const given = parseApproval(values.approve ?? []);
  const saved = resume === undefined ? undefined : await readSaved(resume);
  const servers = await readServers(options);
  const makeAgent = agentMaker(values, servers, lifetime);
  let running: AbortController | undefined;
  let ended: Promise<unknown> | undefined;
  const run = () => running?.signal;
  const duties = openDuties({ values, rules: given, report, run, ...(lines ? { lines } : {}) });
  // Servers that need not be waited for leave the processor to the model until it has its first prompt.
  let wake = () => {};
  const firstTurn = new Promise<void>(resolve => {
    wake = resolve;
  });
  const known = values.cache === false ? {} : { knownTools: knownTools(toolsFolder(), firstTurn) };
  const [dialogue, tools] = await Promise.all([
    openDialogueModel(values, lifetime),
    openTools(servers, lifetime, report, { ...duties.host, ...known }),
  ]);

  const rules = { ...given, origin: tools.origin };
  const { speaker, contextSize } = dialogue;

  let lastPrompt: Prompt | undefined;
  const usages: Usage[] = [];
  const asked =
    lines &&
    askUser({
      lines,
      origin: tools.origin,
      onAsk: (call, owner) =>
        report({
          type: 'approval-start',
          call,
          ...(owner ? { server: owner.server, tool: owner.tool } : {}),
        }),
      signal: run,
    });
  const ask: Approve | undefined = asked && ((call, tool) => duties.floor(() => asked(call, tool)));
  const model = dialogue.model(tools.origin);
  const settings = agentSettings(values, dialogue, new Date());
  const { policy, render, sampling, maxTokens } = settings;
  duties.useModel({ model, render, sampling, ...(maxTokens === undefined ? {} : { maxTokens }) });
  const offered = offeredTools(values, { host: tools, model, contextSize, policy, render });
  const agentOptions = {
    ...settings,
    model,
    tools: offered,
    approve: approval({ ...rules, ...(ask ? { ask } : {}) }),
    ...(saved ? { messages: resumedMessages(saved, speaker) } : {}),
  };
  const agent = makeAgent(agentOptions, { dialogue, host: tools, values });

  async function answer(question: string, given?: RunOptions['messages']): Promise<RunResult> {
    const controller = new AbortController();
    running = controller;
    using _ = lifetime.interruptible(() => controller.abort());
    const { signal } = controller;
    try {
      return await answered(question, given ?? (await attached(question, signal)), signal);
    } finally {
      running = undefined;
    }
  }

  async function answered(
    question: string,
    messages: RunOptions['messages'],
    signal: AbortSignal,
  ): Promise<RunResult> {
    if (!messages) return notBegun;
    const run = agent.run(question, { signal, messages });
    for (;;) {
      const step = await run.next();
      if (step.done) return step.value;
      const event = step.value;
      if (event.type === 'turn-start') lastPrompt = event.prompt;
      if (event.type === 'usage') usages.push(event);
      report(event);
      if (event.type === 'turn-start') wake();
    }
  }

  /** Nothing where the user did not wait for it. */
  async function attached(question: string, signal: AbortSignal): Promise<RunOptions['messages']> {
    try {
      const options = { host: tools, model, contextSize, report, signal, ...(lines ? { lines } : {}) };
      return [{ role: 'user', content: await withAttachments(question, options) }];
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    agent,
    speaker,
    contextSize,
    host: tools,
    offered,
    roots: duties.roots,
    get asking() {
      const asks = (tool: ToolDefinition) => approvalMode(rules, tool.name, tool) === 'ask';
      return tools.tools.filter(asks).map(({ name }) => name);
    },
    get lastPrompt() {
      return lastPrompt;
    },
    usages,
    answer(question, messages) {
      const answering = answer(question, messages);
      ended = answering.catch(() => {});
      return answering;
    },
    async stop() {
      running?.abort();
      await ended;
    },
  };
}

const notBegun: RunResult = { reason: 'aborted', answer: '', turns: 0, toolRuns: 0, repeats: 0, unasked: 0 };
