/** What `rawcall eval` takes besides the settings that it shares with other commands. */
import { InvalidArgumentError, Option } from 'commander';
import type { SettingName } from '../settings.ts';

export interface EvalFlags {
  readonly model?: readonly string[];
  readonly format?: readonly string[];
  readonly policy?: readonly string[];
  readonly constrain?: readonly string[];
  readonly schemaForm?: readonly string[];
  readonly samples?: number;
  readonly filter?: string;
  readonly tag?: readonly string[];
  readonly out?: string;
  readonly parallel?: number;
  /** In seconds. */
  readonly maxTime?: number;
  readonly maxTokensTotal?: number;
  readonly html?: string;
  readonly junit?: string;
  readonly json?: string;
}

export const evalSettings = [
  ...(['yes', 'lora', 'catalog', 'contextSize', 'gpu', 'gpuLayers', 'threads'] as const),
  ...(['endpoint', 'api', 'endpointModel', 'endpointKey', 'untrusted'] as const),
  ...(['approve', 'tools', 'schema', 'toolSchemas', 'decisionHistory', 'thinking'] as const),
  ...(['maxRounds', 'maxSeconds', 'temperature', 'topK', 'topP', 'minP', 'repeatPenalty'] as const),
  ...(['seed', 'maxTokens', 'record', 'redact'] as const),
] as const satisfies readonly SettingName[];

/** A flag of the matrix is another one than the setting of its name: the config file's one value is not meant for it. */
export function evalOptions(): Option[] {
  const list = (flags: string, help: string) => new Option(flags, `${help} (repeatable)`).argParser(gather);
  return [
    list(
      '--model <file|name>',
      'a GGUF file, or a model of the catalog; default: those of the task file, or the practice model',
    ),
    list('--format <format>', "a format's name, jinja, or the path of a module; default: found in the model"),
    list(
      '--policy <policy>',
      'auto (the default), or ANSWER-TURN or ANSWER-TURN/once, such as question-and-data/once',
    ),
    list('--constrain <how>', 'off (the default), calls, required'),
    list('--schema-form <how>', 'native (the default), minified, signature, python'),
    new Option('--samples <count>', 'how often each task is asked; default: 1').argParser(whole),
    new Option('--filter <text>', 'only the tasks whose id holds this text'),
    list('--tag <tag>', 'only the tasks that have one of these tags'),
    new Option('--out <file>', 'where results are appended; what is there already is gone on with'),
    new Option('--parallel <count>', 'samples taken at a time; default: one an endpoint').argParser(whole),
    new Option('--max-time <time>', 'begin no sample after so long, such as 90s, 30m, 2h').argParser(
      duration,
    ),
    new Option('--max-tokens-total <count>', 'begin no sample after so many tokens').argParser(whole),
    new Option('--html <file>', 'write a report there too: one page to open offline'),
    new Option('--junit <file>', 'the same as XML of JUnit'),
    new Option('--json <file>', 'the same as JSON'),
  ];
}

function gather(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function whole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

const units = { s: 1, m: 60, h: 3600 } as const;

function duration(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text) ?? [];
  const seconds = Number(number) * (units[(unit || 's') as keyof typeof units] ?? 1);
  if (number !== undefined && seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds, or one with s, m or h behind it.');
}
