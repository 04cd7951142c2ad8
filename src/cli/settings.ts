/**
 * What can be set, once for the flags and for the config file: the long flag in camelCase is the key, and both are checked
 * by the same kinds.
 */
import { InvalidArgumentError, Option } from 'commander';
import { schemaForms } from '../../templates/schema-forms.ts';
import { auto } from '../agent/auto-policy.ts';
import { answerTurns, decisionHistories, roundsModes } from '../agent/policy.ts';
import { toolOffers } from '../agent/tool-choice.ts';
import { isModelName } from '../catalog/find.ts';
import { isAddress } from '../catalog/source.ts';
import { untrustedPolicies } from '../engine/endpoint/flat-prompt.ts';
import { isFormatPath } from '../format-module.ts';
import { logLevels } from '../mcp/log-levels.ts';
import { toolSchemas } from '../mcp/servers.ts';
import { constraints } from '../model/constrain.ts';

type Kind =
  | { readonly kind: 'text' | 'path' | 'boolean' }
  /** A path, or false for nothing of it. */
  | { readonly kind: 'path-or-false' }
  /** A path where it looks like one, which in a config file is from the file's own folder. */
  | { readonly kind: 'name-or-path'; readonly isPath: (text: string) => boolean }
  | { readonly kind: 'number'; readonly minimum: number; readonly maximum?: number; readonly whole?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /**
   * `split`: the flag takes several, separated by commas; else the flag is repeated. `paths`: in a config file, each is from
   * the file's own folder, but for names of the catalog where there may be such.
   */
  | {
      readonly kind: 'list';
      readonly choices?: readonly string[];
      readonly split?: true;
      readonly paths?: true | 'or-names';
    };

export type Setting = Kind & { readonly flag: string; readonly help: string };

export const showParts = ['prompt', 'calls', 'reasoning', 'usage', 'logs'] as const;
export type ShowPart = (typeof showParts)[number];

/** How `rawcall check` tells what it found. */
export const reporterNames = ['text', 'json', 'junit'] as const;
export type ReporterName = (typeof reporterNames)[number];

const whole = (minimum: number) => ({ kind: 'number', minimum, whole: true }) as const;
const share = { kind: 'number', minimum: 0, maximum: 1 } as const;

export const settings = {
  model: {
    kind: 'name-or-path',
    isPath: text => !isModelName(text) && !isAddress(text),
    flag: '--model <path|name>',
    help: 'a GGUF file, or a model of the catalog, which is pulled (default: the practice model)',
  },
  yes: { kind: 'boolean', flag: '--yes', help: 'a model that is not here is pulled without a question' },
  catalog: {
    kind: 'path',
    flag: '--catalog <file>',
    help: 'a catalog of models instead of the one that ships',
  },
  lora: {
    kind: 'list',
    paths: 'or-names',
    flag: '--lora <adapter>',
    help: 'a LoRA adapter on top of the model: FILE or FILE:SCALE, or one of the catalog (repeatable)',
  },
  format: {
    kind: 'name-or-path',
    isPath: isFormatPath,
    flag: '--enforce-parser, --format <name>',
    help: "a format's name, jinja, or the path of a module with one (default: found in the model)",
  },
  chatTemplate: {
    kind: 'path',
    flag: '--chat-template <file>',
    help: 'a Jinja file or tokenizer_config.json, instead of the chat template in the model',
  },
  endpoint: {
    kind: 'list',
    flag: '--endpoint <url>',
    help: 'a server with the model, instead of one here (repeatable: several with the same model)',
  },
  api: {
    kind: 'choice',
    choices: ['completions', 'chat'],
    flag: '--api <kind>',
    help: "how it is asked: completions (the default) with rawcall's own prompts, or chat with its own",
  },
  endpointModel: {
    kind: 'text',
    flag: '--endpoint-model <name>',
    help: 'the model there (default: the first that it lists)',
  },
  endpointKey: {
    kind: 'text',
    flag: '--endpoint-key <key>',
    help: 'its bearer key (or RAWCALL_ENDPOINT_KEY, which other users of this machine do not see)',
  },
  untrusted: {
    kind: 'choice',
    choices: untrustedPolicies,
    flag: '--untrusted <policy>',
    help: 'control words in texts, where it takes no token ids: break (the default) or refuse',
  },
  contextSize: { ...whole(16), flag: '--context-size <tokens>', help: 'tokens that the context holds' },
  gpu: {
    kind: 'choice',
    choices: ['auto', 'metal', 'cuda', 'vulkan', 'off'],
    flag: '--gpu <kind>',
    help: 'what computes',
  },
  gpuLayers: { ...whole(0), flag: '--gpu-layers <count>', help: 'layers of the model that go to the GPU' },
  threads: { ...whole(1), flag: '--threads <count>', help: 'CPU threads' },
  cache: {
    kind: 'boolean',
    flag: '--cache',
    help: 'what prompts begin with is kept, evaluated, for the next start (the default)',
  },
  cacheLimit: { ...whole(1), flag: '--cache-limit <MiB>', help: 'of all that is kept (default: 2048)' },

  mcpConfig: { kind: 'path', flag: '--mcp-config <file>', help: 'a JSON file with mcpServers' },
  mcpCommand: { kind: 'text', flag: '--mcp-command <command>', help: 'one more MCP server to start' },
  mcpArgs: { kind: 'text', flag: '--mcp-args <arguments>', help: 'its arguments, in one word' },
  approve: {
    kind: 'list',
    flag: '--approve <rule>',
    help: 'ask, auto, never or PATTERN=MODE (repeatable; default: ask, but for read-only tools)',
  },

  tools: {
    kind: 'choice',
    choices: toolOffers,
    flag: '--tools <which>',
    help: 'offered to the model: auto (all, or where they are too many those that fit a question), all',
  },
  root: {
    kind: 'list',
    paths: true,
    flag: '--root <folder>',
    help: 'a folder that servers are told of (repeatable; default: none)',
  },
  logLevel: {
    kind: 'choice',
    choices: logLevels,
    flag: '--log-level <level>',
    help: 'what servers are asked to log from, for --show logs and --json (default: info)',
  },

  schema: {
    kind: 'choice',
    choices: ['native', 'system', 'user', 'tail'],
    flag: '--schema <place>',
    help: "where the tools' schemas stand",
  },
  schemaForm: {
    kind: 'choice',
    choices: schemaForms,
    flag: '--schema-form <form>',
    help: "how the tools' schemas are written: as the model's own template does, or shorter",
  },
  toolSchemas: {
    kind: 'choice',
    choices: toolSchemas,
    flag: '--tool-schemas <kind>',
    help: "the tools' schemas as their servers give them, or simplified for small models",
  },
  answerTurn: {
    kind: 'choice',
    choices: [auto, ...answerTurns],
    flag: '--answer-turn <kind>',
    help: "what an answer is written from (default: auto, by the model's size)",
  },
  rounds: {
    kind: 'choice',
    choices: [auto, ...roundsModes],
    flag: '--rounds <kind>',
    help: 'decide until no call is made, or once (default: auto)',
  },
  decisionHistory: {
    kind: 'choice',
    choices: decisionHistories,
    flag: '--decision-history <kind>',
    help: 'what decisions see of earlier questions: all, or all but results',
  },
  constrain: {
    kind: 'choice',
    choices: constraints,
    flag: '--constrain <kind>',
    help: 'hold calls to the tools on offer: off, calls (from where one opens), required',
  },
  system: { kind: 'text', flag: '--system <text>', help: 'the system text' },
  thinking: { kind: 'boolean', flag: '--thinking', help: 'a model that can think does' },
  maxRounds: { ...whole(0), flag: '--max-rounds <count>', help: 'rounds of calls before it must answer' },
  maxSeconds: { ...whole(1), flag: '--max-seconds <count>', help: 'that a question may take' },

  temperature: {
    kind: 'number',
    minimum: 0,
    flag: '--temperature <number>',
    help: '0 (the default) is greedy',
  },
  topK: { ...whole(0), flag: '--top-k <count>', help: 'sample from the best COUNT tokens' },
  topP: { ...share, flag: '--top-p <share>', help: 'sample from the best tokens that hold this share' },
  minP: { ...share, flag: '--min-p <share>', help: 'drop tokens below this share of the best one' },
  repeatPenalty: {
    kind: 'number',
    minimum: 0,
    flag: '--repeat-penalty <number>',
    help: '1 (the default) is off',
  },
  seed: { ...whole(0), flag: '--seed <number>', help: 'makes what is random repeatable' },
  maxTokens: { ...whole(1), flag: '--max-tokens <count>', help: 'tokens that a turn may generate' },

  record: {
    kind: 'path-or-false',
    flag: '--record <folder>',
    help: "where runs are recorded (default: the user's folder for data)",
  },
  redact: {
    kind: 'list',
    flag: '--redact <pattern>',
    help: 'a regular expression; what it matches is not recorded (repeatable)',
  },
  show: {
    kind: 'list',
    choices: showParts,
    split: true,
    flag: '--show <parts>',
    help: `print on stderr, joined by commas: ${showParts.join(', ')}`,
  },
  json: { kind: 'boolean', flag: '--json', help: 'print JSON, one object a line' },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

type ValueOf<S extends Setting> = S extends { kind: 'boolean' }
  ? boolean
  : S extends { kind: 'path-or-false' }
    ? string | false
    : S extends { kind: 'number' }
      ? number
      : S extends { kind: 'choice'; choices: readonly (infer Choice)[] }
        ? Choice
        : S extends { kind: 'list'; choices: readonly (infer Choice)[] }
          ? readonly Choice[]
          : S extends { kind: 'list' }
            ? readonly string[]
            : string;

/** As it is typed, for messages. */
export function flagOf(name: SettingName): string {
  return /--\S+(?= <|$)/.exec(settings[name].flag)?.[0] ?? '';
}

/** The values of the settings that a command takes, from flags and config file together. */
export type Values = { readonly [Name in SettingName]?: ValueOf<(typeof settings)[Name]> };

/** What is wrong with a value, or nothing. */
export function problemOf(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'text':
    case 'path':
    case 'name-or-path':
      return typeof value === 'string' ? undefined : 'must be a text';
    case 'path-or-false':
      return typeof value === 'string' || value === false ? undefined : 'must be a path or false';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number': {
      const { minimum, maximum = Number.POSITIVE_INFINITY, whole } = setting;
      if (typeof value !== 'number' || (whole && !Number.isSafeInteger(value)))
        return `must be a ${whole ? 'whole ' : ''}number`;
      if (value >= minimum && value <= maximum) return undefined;
      return maximum === Number.POSITIVE_INFINITY
        ? `must be ${minimum} or more`
        : `must be from ${minimum} to ${maximum}`;
    }
    case 'choice':
      return setting.choices.some(one => one === value) ? undefined : oneOf(setting.choices);
    case 'list': {
      if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
        return 'must be a list of texts';
      const { choices } = setting;
      return choices && value.some(one => !choices.includes(one)) ? oneOf(choices) : undefined;
    }
  }
}

const oneOf = (choices: readonly string[]) => `must be one of ${choices.join(', ')}`;

const opposites: { readonly [Name in SettingName]?: readonly Option[] } = {
  thinking: [new Option('--no-thinking', 'it is told not to')],
  record: [new Option('--no-record', 'runs are not recorded')],
  cache: [new Option('--no-cache', 'nothing is kept, and nothing that was kept is used')],
};

export function optionsFor(names: readonly SettingName[]): Option[] {
  return names.flatMap(name => {
    const setting: Setting = settings[name];
    const option = new Option(setting.flag, setting.help);
    if (setting.kind === 'choice') option.choices(setting.choices);
    else if (setting.kind !== 'boolean') option.argParser((text, earlier) => read(setting, text, earlier));
    return [option, ...(opposites[name] ?? [])];
  });
}

function read(setting: Setting, text: string, earlier: unknown): unknown {
  let value: unknown = text;
  if (setting.kind === 'number') value = text.trim() === '' ? text : Number(text);
  else if (setting.kind === 'list') {
    const words = setting.split ? text.split(',').map(word => word.trim()) : [text];
    value = [...(Array.isArray(earlier) ? earlier : []), ...words];
  }
  const problem = problemOf(setting, Number.isNaN(value) ? text : value);
  if (problem) throw new InvalidArgumentError(`It ${problem}.`);
  return value;
}
