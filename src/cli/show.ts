/** A run for people: the answer on stdout as it comes, everything else on stderr. */
import pc from 'picocolors';
import type { ToolCall } from '../../parsers/parser.ts';
import type { Origin, Prompt } from '../../templates/template.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import type { RunPolicy } from '../agent/policy.ts';
import type { Usage } from '../engine/engine.ts';
import type { TokenBill } from '../model/model.ts';
import { callText } from './call-text.ts';
import { markedPrompt } from './marked.ts';
import { forOut, visible } from './output.ts';
import { clearProgress, showProgress } from './progress-line.ts';
import type { ShowPart } from './settings.ts';

const colors = pc.createColors(process.stderr.isTTY === true && pc.isColorSupported);

/** A line on stderr about something that is neither the answer nor an error. */
export function notice(text: string): void {
  clearProgress();
  process.stderr.write(`${colors.yellow('!')} ${visible(text)}\n`);
}

export function usageLine({ prompt, reused, evaluated, generated }: Usage): string {
  return `${prompt} prompt tokens (${reused} reused, ${evaluated} evaluated), ${generated} generated`;
}

export function billLine({ total, ...parts }: TokenBill): string {
  const listed = billed.filter(([origin]) => parts[origin] > 0);
  return `${total} tokens (${listed.map(([origin, name]) => `${parts[origin]} ${name}`).join(', ')})`;
}

const billed: readonly (readonly [Origin, string])[] = [
  ['tools', 'tools'],
  ['system', 'system text'],
  ['user', 'questions'],
  ['assistant', 'replies and calls'],
  ['tool', 'results'],
  ['template', 'template'],
];

export function createShow(parts: readonly ShowPart[]): (event: AgentEvent) => void {
  const shown = new Set(parts);
  let streamsDecisions = false;
  /** Told once, and again where it has changed. */
  let reason: string | undefined;
  let streaming = false;
  /** What this turn has put on stdout. */
  let written = '';
  let lineOpen = false;
  let reasoning = false;

  function answerDelta(text: string): void {
    const fresh = written === '' ? text.trimStart() : text;
    if (fresh === '') return;
    written += fresh;
    lineOpen = !fresh.endsWith('\n');
    process.stdout.write(forOut(fresh));
  }

  /** Ends an open line of the answer, so that the next thing starts on its own. */
  function breakLine(): void {
    if (lineOpen) process.stdout.write('\n');
    lineOpen = false;
  }

  function aside(text: string): void {
    if (process.stdout.isTTY) breakLine();
    clearProgress();
    process.stderr.write(`${text}\n`);
  }

  function runStart({ policy }: AgentEvent & { type: 'run-start' }): void {
    // A decision turn's words are the answer only if it makes no call, which a reader of the pipe must not have to guess.
    streamsDecisions = process.stdout.isTTY === true && policy.answerTurn === 'with-schema';
    if (shown.has('usage') && policy.reason !== reason) aside(colors.dim(policyLine(policy)));
    reason = policy.reason;
  }

  function runEnd({ answer }: RunResult): void {
    breakLine();
    if (answer !== '' && written.trim() !== answer.trim()) process.stdout.write(`${forOut(answer)}\n`);
  }

  function call(
    event: AgentEvent & { type: 'call-end' | 'call-failed' | 'approval-end' | 'tool-end' },
  ): void {
    switch (event.type) {
      case 'call-end':
        if (shown.has('calls')) aside(`${colors.cyan('→')} ${callText(event.call)}`);
        break;
      case 'call-failed':
        aside(`${colors.yellow('!')} ${event.problem}: ${visible(event.message)}`);
        break;
      case 'approval-end':
        if (!event.allowed) aside(`${colors.yellow('!')} ${refusal(event.call, event.reason)}`);
        break;
      case 'tool-end':
        if (shown.has('calls') && (event.source === 'tool' || event.source === 'repeat'))
          aside(result(event));
        if (event.source === 'tool') besides(event);
        break;
      default:
        event satisfies never;
    }
  }

  /** What a tool gave that the model does not read. */
  function besides({ call: { name }, result }: AgentEvent & { type: 'tool-end' }): void {
    if (result.forUser !== undefined) aside(`${visible(name)}, for you: ${visible(result.forUser)}`);
    for (const warning of result.warnings ?? [])
      aside(`${colors.yellow('!')} ${visible(name)}: ${visible(warning)}`);
  }

  return event => {
    if (reasoning && event.type !== 'reasoning-delta') {
      reasoning = false;
      process.stderr.write('\n');
    }
    if (event.type !== 'tool-progress') clearProgress();
    switch (event.type) {
      case 'turn-start':
        breakLine();
        written = '';
        streaming = event.purpose === 'answer' || streamsDecisions;
        if (shown.has('prompt')) aside(shownPrompt(event.purpose, event.prompt));
        break;
      case 'text-delta':
        if (streaming) answerDelta(event.text);
        break;
      case 'reasoning-delta':
        if (!shown.has('reasoning')) break;
        reasoning = true;
        process.stderr.write(colors.dim(visible(event.text)));
        break;
      case 'call-end':
      case 'call-failed':
      case 'approval-end':
      case 'tool-end':
        call(event);
        break;
      case 'tool-progress':
        showProgress(progress(event));
        break;
      case 'usage':
        if (shown.has('usage')) aside(colors.dim(usageLine(event)));
        break;
      case 'guard':
        aside(colors.yellow(event.message));
        break;
      case 'history-trimmed':
        aside(
          colors.yellow(
            `The context is too small for ${event.messages} earlier messages; they are left out.`,
          ),
        );
        break;
      case 'tools-changed':
        aside(colors.dim(offerLine(event)));
        break;
      case 'call-extended':
        aside(colors.yellow(`The call was not whole after the turn's tokens; it gets ${event.tokens} more.`));
        break;
      case 'run-end':
        runEnd(event);
        break;
      case 'run-start':
        runStart(event);
        break;
      case 'call-start':
      case 'call-delta':
      case 'repaired':
      case 'token-logprobs':
      case 'completion-end':
      case 'tool-start':
        break;
      default:
        event satisfies never;
    }
  };
}

function policyLine({ answerTurn, rounds, reason }: RunPolicy): string {
  return `--answer-turn ${answerTurn}, --rounds ${rounds}${reason ? `: ${reason}` : ''}`;
}

function shownPrompt(purpose: string, prompt: Prompt): string {
  return `${colors.dim(`── prompt of the ${purpose} turn ──`)}\n${markedPrompt(prompt, colors)}`;
}

function result({ result: { content, isError }, source }: AgentEvent & { type: 'tool-end' }): string {
  const mark = isError ? colors.red('✗') : colors.green('←');
  return `${mark} ${visible(content)}${source === 'repeat' ? ' (from the same call before)' : ''}`;
}

function offerLine({ added, removed, changed, tokens }: AgentEvent & { type: 'tools-changed' }): string {
  const parts = [
    ['now also', added],
    ['no more', removed],
    ['changed', changed],
  ] as const;
  const named = parts.flatMap(([how, names]) => (names.length > 0 ? [`${how} ${names.join(', ')}`] : []));
  const cost = tokens === undefined ? '' : ` ${tokens} tokens of the prompt are evaluated anew.`;
  return `Tools on offer: ${named.join('; ') || 'in another order'}.${cost}`;
}

function progress({ call, progress, total, message }: AgentEvent & { type: 'tool-progress' }): string {
  const far = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `… ${call.name}: ${far}${message ? ` ${message}` : ''}`;
}

function refusal({ name }: ToolCall, reason: string | undefined): string {
  return `${visible(name)} was not allowed${reason ? `: ${visible(reason)}` : ''}`;
}
