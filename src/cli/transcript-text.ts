/** A transcript as lines for people. */
import { createCollector } from '../../parsers/read.ts';
import type { Usage } from '../engine/engine.ts';
import type { TimedEvent, Transcript } from '../transcript/read-transcript.ts';
import { callText } from './call-text.ts';
import { type Colors, markedPrompt } from './marked.ts';
import { visible } from './output.ts';
import { usageLine } from './show.ts';

export interface TranscriptTeller {
  header(transcript: Transcript): string;
  /** Empty where there is nothing to tell. */
  event(event: TimedEvent): string;
  end(): string;
}

/** @param show as `--show` has it: prompts, thoughts */
export function transcriptTeller(show: readonly string[], colors: Colors): TranscriptTeller {
  let runs = 0;
  let turns = 0;
  let running = false;
  let startedAt = 0;
  let turnAt = 0;
  let usages: Usage[] = [];
  let collector = createCollector();
  /** Of the last turn: mostly the answer, which need not be told twice. */
  let said = '';

  /** A turn's usage is told when all of it is known. */
  function usage(at: number): string {
    if (usages.length === 0) return '';
    const lines = usages.map(one => `  ${usageLine(one)}`);
    usages = [];
    return colors.dim(`${lines.join('\n')}, ${seconds(at - turnAt)}\n`);
  }

  function words(): string {
    const { content, reasoning } = collector.collected;
    collector = createCollector();
    said = content.trim();
    const thought =
      show.includes('reasoning') && reasoning.trim() !== ''
        ? `${colors.dim(indented(reasoning.trim()))}\n`
        : '';
    return `${thought}${said === '' ? '' : `${indented(said)}\n`}`;
  }

  function line(event: TimedEvent): string {
    switch (event.type) {
      case 'run-start': {
        runs++;
        running = true;
        startedAt = event.at;
        return `\n${colors.bold(`${runs}. ${visible(event.question)}`)}\n`;
      }
      case 'turn-start': {
        turns++;
        turnAt = event.at;
        const prompt = show.includes('prompt') ? `${markedPrompt(event.prompt, colors)}\n` : '';
        return `${colors.dim(`turn ${turns}, ${event.purpose}`)}\n${prompt}`;
      }
      case 'text-delta':
      case 'reasoning-delta':
        collector.add([event]);
        return '';
      case 'completion-end':
        return `${words()}${event.reason === 'stop' ? '' : `  ${colors.yellow(`(ended by ${event.reason})`)}\n`}`;
      case 'completion-delta': {
        const raw = event.pieces.map(({ text }) => text).join('');
        const text = words();
        // What was read of it is mostly all of it.
        const unread = raw.trim() === said ? '' : `${colors.dim(indented(raw.trim()))}\n`;
        return `${text}${unread}  ${colors.yellow('(cut off here)')}\n`;
      }
      case 'usage':
        usages.push(event);
        return '';
      case 'call-end':
        return `  ${colors.cyan('→')} ${callText(event.call)}\n`;
      case 'call-failed':
        return `  ${colors.yellow('!')} ${event.problem}: ${visible(event.message)}\n`;
      case 'repaired':
        return `  ${colors.yellow('!')} repaired: ${event.repair}\n`;
      case 'approval-end':
        return event.allowed
          ? ''
          : `  ${colors.yellow('!')} ${visible(event.call.name)} was not allowed${event.reason ? `: ${visible(event.reason)}` : ''}\n`;
      case 'tool-end': {
        if (event.source === 'rejection' || event.source === 'problem') return '';
        const mark = event.result.isError ? colors.red('✗') : colors.green('←');
        return `  ${mark} ${indented(event.result.content).trimStart()}${event.source === 'repeat' ? ' (from the same call before)' : ''}\n`;
      }
      case 'guard':
        return `  ${colors.yellow(`! ${visible(event.message)}`)}\n`;
      case 'history-trimmed':
        return `  ${colors.yellow(`! ${event.messages} earlier messages are left out.`)}\n`;
      case 'abort':
        return `  ${colors.yellow(event.by === 'user' ? '! stopped by the user' : '! time is up')}\n`;
      case 'turn-failed':
        return words();
      case 'run-failed':
        running = false;
        return `${colors.red(`✗ ${event.code}`)}: ${visible(event.message)}\n`;
      case 'run-end': {
        running = false;
        const { reason, answer, toolRuns } = event;
        const last = answer.trim() === said ? '' : `${indented(answer)}\n`;
        return `${last}${colors.dim(`${reason}, ${event.turns} turns, ${toolRuns} calls run, ${seconds(event.at - startedAt)}`)}\n`;
      }
      case 'reset':
        return `\n${colors.dim('(the dialogue begins anew)')}\n`;
      default:
        return '';
    }
  }

  return {
    header({ file, header: { startedAt: started, model, tools, versions } }) {
      const about = `${model.name} (${model.format}), ${tools.length} tools, rawcall ${versions.rawcall}, ${started}`;
      return `${colors.bold(file)}\n${colors.dim(visible(about))}\n`;
    },
    event: event =>
      event.type === 'usage' || event.type === 'measure' ? line(event) : `${usage(event.at)}${line(event)}`,
    end: () => (running ? `${words()}${colors.yellow('The run was not finished.')}\n` : ''),
  };
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

const indented = (text: string) => visible(text).replace(/^/gm, '  ');
