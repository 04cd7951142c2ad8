/** The commands and what each of them takes. What a command does is loaded when it is called for. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Shell } from './completion/completion.ts';
import { findConfigFile, readConfigFile } from './config-file.ts';
import { addEvalCommands } from './eval/program.ts';
import type { PruneFlags } from './kept-transcripts.ts';
import type { Lifetime } from './lifetime.ts';
import { addMcpCommands, type Group } from './mcp/program.ts';
import { addModelsCommands } from './models/program.ts';
import { packageVersion } from './package.ts';
import { optionsFor, reporterNames, type SettingName, settings, type Values } from './settings.ts';

/** What a command is given besides its own arguments. */
export interface Context<Own = unknown> {
  readonly lifetime: Lifetime;
  /** Flags, and where there is none the config file. */
  readonly values: Values & Own;
  /** `rawcall.json` or `.rawcallrc`, where there is one. */
  readonly configFile?: string;
  /** The config file, where it has `mcpServers`. */
  readonly serversFile?: string;
}

const engine = [
  'model',
  'yes',
  'lora',
  'catalog',
  'format',
  'chatTemplate',
  'contextSize',
  'gpu',
  'gpuLayers',
  'threads',
] as const;
const endpoint = ['endpoint', 'api', 'endpointModel', 'endpointKey', 'untrusted'] as const;
const servers = ['mcpConfig', 'mcpCommand', 'mcpArgs', 'approve', 'root', 'logLevel'] as const;
const turns = [
  'tools',
  'schema',
  'schemaForm',
  'toolSchemas',
  'answerTurn',
  'rounds',
  'decisionHistory',
  'constrain',
  'system',
  'thinking',
  'maxRounds',
  'maxSeconds',
] as const;
const sampling = ['temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'seed', 'maxTokens'] as const;
const cache = ['cache', 'cacheLimit'] as const;
const page = [
  ...engine,
  ...endpoint,
  ...cache,
  ...servers,
  ...turns,
  ...sampling,
  ...(['record', 'redact'] as const),
] as const;
const dialogue = [...page, 'show', 'json'] as const;

export function createProgram(lifetime: Lifetime, done: (code: number) => void): Command {
  const program = new Command('rawcall')
    .description('Drives local GGUF models by prompts of its own, calls MCP tools and shows every byte.')
    .version(packageVersion())
    .exitOverride()
    // A flag is that of the last command named before it: "eval report --out" is not "eval --out".
    .enablePositionalOptions()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'rawcall: ')) })
    .addHelpText(
      'after',
      '\nSettings may also stand in rawcall.json or .rawcallrc (keys: the long flags in camelCase).',
    );

  function add(
    usage: string,
    description: string,
    names: readonly SettingName[],
    parent: Command = program,
  ): Command {
    const command = parent.command(usage).description(description);
    for (const option of optionsFor(names)) command.addOption(option);
    return command;
  }

  add('run [question]', 'answer one question (none, or "-": it is read from stdin)', dialogue).action(
    async (question: string | undefined, _options, command: Command) => {
      const { run } = await import('./run.ts');
      done(await run(question, contextOf(command, lifetime)));
    },
  );

  add('chat', 'talk; where stdin is no terminal, each of its lines is a question', dialogue)
    .option('--save <file>', 'keep the dialogue there as it grows, as "rawcall render" reads it')
    .option('--resume <file>', 'go on from a dialogue that was saved')
    .action(async (_options, command: Command) => {
      const { chat } = await import('./chat.ts');
      done(await chat(contextOf(command, lifetime)));
    });

  add('play', 'open a page to talk, see each token and turn each knob', page)
    .addOption(new Option('--port <number>', '0: any that is free').default(8081).argParser(portNumber))
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--api-key <key>', 'asked of the page instead of a new token (or RAWCALL_API_KEY)')
    .option('--allow-host <name...>', 'further names of this machine that browsers may use')
    .option('--no-open', 'no browser is opened')
    .action(async (_options, command: Command) => {
      const { play } = await import('./play/play.ts');
      done(await play(contextOf(command, lifetime)));
    });

  add('tools', 'list the tools that the servers offer', [
    ...(['model', 'yes', 'catalog', 'format', 'chatTemplate'] as const),
    ...(['schema', 'schemaForm', 'toolSchemas', 'json'] as const),
    ...(['mcpConfig', 'mcpCommand', 'mcpArgs'] as const),
  ])
    .option('--tokens', "what each tool and each server costs in the prompt, in the model's tokens")
    .action(async (_options, command: Command) => {
      const { tools } = await import('./tools.ts');
      done(await tools(contextOf(command, lifetime)));
    });

  add('serve', "answer OpenAI's chat API on a port of this machine", [
    ...engine,
    ...cache,
    ...(['mcpConfig', 'mcpCommand', 'mcpArgs', 'approve', 'root'] as const),
    ...(['tools', 'schema', 'schemaForm', 'toolSchemas', 'thinking'] as const),
    ...(['answerTurn', 'rounds', 'decisionHistory', 'maxRounds', 'maxSeconds'] as const),
    ...(['record', 'redact'] as const),
  ])
    .option('--play', 'with the playground, over the same model and servers')
    .option(
      '--run-tools',
      'calls of MCP tools run here, where --approve lets them (default: clients run them)',
    )
    .addOption(new Option('--port <number>', '0: any that is free').default(8080).argParser(portNumber))
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--api-key <key>', 'asked of clients (or RAWCALL_API_KEY)')
    .option('--allow-host <name...>', 'further names of this machine that clients may use')
    .option('--allow-origin <origin...>', 'web pages that may ask')
    .option('--name <name>', "what clients call the model (default: its file's name)")
    .addOption(
      new Option(
        '--parallel <count>',
        'requests that run side by side (default: what half of the memory holds, at most 4)',
      ).argParser(count(1)),
    )
    .addOption(new Option('--queue <count>', 'requests that may wait').default(64).argParser(count(0)))
    .option('--reasoning-content', 'thoughts are given out (the default; or RAWCALL_REASONING_CONTENT=1)')
    .option('--log-chats [file]', 'each request, prompt, raw completion and answer as a JSON line (stderr)')
    .option('--no-reasoning-content', 'thoughts are kept back (or RAWCALL_REASONING_CONTENT=0)')
    .action(async (_options, command: Command) => {
      const { serve } = await import('./serve.ts');
      done(await serve(contextOf(command, lifetime)));
    });

  add('render <file>', 'print the prompt for the messages and tools of a JSON file ("-": stdin)', [
    ...([
      'model',
      'yes',
      'catalog',
      'format',
      'chatTemplate',
      'schema',
      'schemaForm',
      'toolSchemas',
      'thinking',
      'json',
    ] as const),
  ])
    .option('--raw', 'the exact text of the prompt and nothing else')
    .action(async (file: string, _options, command: Command) => {
      const { render } = await import('./render.ts');
      done(await render(file, contextOf(command, lifetime)));
    });

  add('parse', 'read a completion on stdin and print its calls as JSON', ['format', 'json'])
    .option('--tools <file>', 'a JSON file with the tools that were offered')
    .option('--prefill <text>', 'what the prompt ended with and belongs to the completion')
    .option('--events', 'print each event, as it is read')
    .option('--all-formats', 'a table of what each format reads in it (--json: one object a line)')
    .option('--jsonl', 'one JSON object a line in, one a line out')
    .option('--field <name>', 'where a line has its completion', 'completion')
    .action(async (_options, command: Command) => {
      const { parse } = await import('./parse.ts');
      done(await parse(contextOf(command, lifetime)));
    });

  add(
    'check <place...>',
    'read recorded completions, cut in every way, and compare with what they must come to',
    [...(['format', 'seed'] as const)],
  )
    .addOption(new Option('--reporter <name>', 'how to tell').choices(reporterNames).default('text'))
    .addOption(new Option('--update', 'write what is read now into the files').conflicts('score'))
    .option('--score', 'a scoreboard of the formats: what is read, repaired, refused, and how fast')
    .option('--filter <text>', 'only the cases whose id holds this text')
    .action(async (places: string[], _options, command: Command) => {
      const { check } = await import('./check.ts');
      done(await check(places, contextOf(command, lifetime)));
    });

  add('replay <file>', 'go through a recorded run again, to the first place where it goes another way', [
    ...engine,
    ...endpoint,
    ...cache,
    ...(['mcpConfig', 'mcpCommand', 'mcpArgs', 'json'] as const),
  ])
    .addOption(
      new Option(
        '--live <part>',
        'model or tools: the real thing in place of the recording (repeatable)',
      ).argParser(livePart),
    )
    .addOption(
      new Option('--from <turn>', 'what comes before this turn is as recorded').argParser(turnNumber),
    )
    .action(async (file: string, _options, command: Command) => {
      const { replayFile } = await import('./replay.ts');
      done(await replayFile(file, contextOf(command, lifetime), command.opts()));
    });

  add('show [file]', 'print a recorded run (default: the newest)', ['record', 'show', 'json'])
    .option('--html <file>', 'write it as one page instead')
    .action(async (file: string | undefined, _options, command: Command) => {
      const { showTranscript } = await import('./show-transcript.ts');
      done(await showTranscript(file, contextOf(command, lifetime)));
    });

  const record = program
    .command('record')
    .description('what was recorded: what there is, what can be made of it, and what is to go');
  add('list', 'list recorded runs, the newest first', ['record', 'json'], record).action(
    async (_options, command: Command) => {
      const { listTranscripts } = await import('./kept-transcripts.ts');
      done(await listTranscripts(contextOf(command, lifetime)));
    },
  );
  add('prune', 'delete recorded runs, after a question', ['record'], record)
    .addOption(
      new Option('--older-than <age>', 'those last written to so long ago, such as 30d, 12h').argParser(age),
    )
    .addOption(
      new Option('--keep <count>', 'all but so many of the newest')
        .argParser(count(0))
        .conflicts('olderThan'),
    )
    .option('--dry-run', 'only say which')
    .option('--yes', 'without the question')
    .action(async (flags: PruneFlags, command: Command) => {
      const { pruneTranscripts } = await import('./kept-transcripts.ts');
      done(await pruneTranscripts(contextOf(command, lifetime), flags));
    });
  record
    .command('extract <file...>')
    .description('write the completions of recorded runs as cases for rawcall check')
    .option('--out <file>', 'write them there; the default is stdout')
    .action(async (files: string[], { out }: { out?: string }) => {
      const { extractCases } = await import('./record.ts');
      done(await extractCases(files, out));
    });

  const formats = add('formats', 'list the prompt formats, their names, stops and features', ['json']).action(
    async (_options, command: Command) => {
      const { listFormats } = await import('./formats.ts');
      done(await listFormats(contextOf(command, lifetime)));
    },
  );
  add(
    'detect <file>',
    'say which format a GGUF, a tokenizer_config.json or a Jinja chat template speaks, and why',
    ['json'],
    formats,
  ).action(async (file: string, _options, command: Command) => {
    const { detectFile } = await import('./formats.ts');
    done(await detectFile(file, contextOf(command, lifetime)));
  });

  const kept = add('cache', 'list what is kept for the next start', ['json']).action(
    async (_options, command: Command) => {
      const { listCache } = await import('./cache.ts');
      done(await listCache(contextOf(command, lifetime)));
    },
  );
  add('clear', 'delete all of it', ['json'], kept).action(async (_options, command: Command) => {
    const { clearCache } = await import('./cache.ts');
    done(await clearCache(contextOf(command, lifetime)));
  });

  add('doctor', 'say what a run would use, and what of it would not work', [
    ...engine,
    ...([
      'schema',
      'schemaForm',
      'toolSchemas',
      'mcpConfig',
      'mcpCommand',
      'mcpArgs',
      'approve',
      'json',
    ] as const),
  ]).action(async (_options, command: Command) => {
    const { doctor } = await import('./doctor.ts');
    done(await doctor(contextOf(command, lifetime)));
  });

  add('welcome', 'say what there is to begin with, and begin (rawcall alone, on a terminal)', [
    ...(['model', 'catalog', 'gpu', 'mcpConfig', 'mcpCommand', 'mcpArgs'] as const),
  ]).action(async (_options, command: Command) => {
    const { welcome } = await import('./welcome/welcome.ts');
    done(await welcome(contextOf(command, lifetime)));
  });

  const group: Group = { add, contextOf: command => contextOf(command, lifetime), done };
  addMcpCommands(program, group);
  addEvalCommands(program, group);
  addModelsCommands(program, group);
  program
    .command('mcp-server <name> [arguments...]')
    .description('be one of the built-in MCP servers on stdin and stdout: calc, materials, vault DIR')
    .action(async (name: string, args: string[]) => {
      const { mcpServer } = await import('./mcp-server.ts');
      done(await mcpServer(name, args));
    });
  program
    .command('completion')
    .description('print the completions of a shell, to be read when it starts')
    .addArgument(new Argument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell) => {
      const { printCompletion } = await import('./completion/completion.ts');
      done(await printCompletion(shell, program));
    });

  return program;
}

/** What a command has a flag of its own for (`parse --tools FILE`) is not what the config file means. */
function valuesFor(command: Command, values: Values = {}): Values {
  const own = command.options.filter(option => {
    const setting = settings[option.attributeName() as SettingName];
    return setting !== undefined && setting.flag !== option.flags && !option.negate;
  });
  const others = own.map(option => [option.attributeName(), undefined] as const);
  return { ...values, ...Object.fromEntries(others) };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

function count(least: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };
}

const units = { h: 1, d: 24, w: 7 * 24 } as const;

/** In milliseconds. */
function age(text: string): number {
  const [, number, unit] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('It must be a whole number of hours, days or weeks: 12h, 30d, 8w.');
  return Number(number) * units[unit as keyof typeof units] * 3_600_000;
}

function livePart(text: string, earlier: readonly string[] = []): readonly string[] {
  if (text === 'model' || text === 'tools') return [...earlier, text];
  throw new InvalidArgumentError('It must be model or tools.');
}

function turnNumber(text: string): number {
  const turn = Number(text);
  if (text.trim() !== '' && Number.isInteger(turn) && turn >= 1) return turn;
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

function contextOf<Own>(command: Command, lifetime: Lifetime): Context<Own> {
  const file = findConfigFile(process.cwd());
  const config = file === undefined ? undefined : readConfigFile(file);
  const values = { ...valuesFor(command, config?.values), ...command.optsWithGlobals() } as Values & Own;
  const serversFile = config?.hasServers ? { serversFile: config.file } : {};
  return { lifetime, values, ...(file === undefined ? {} : { configFile: file }), ...serversFile };
}
