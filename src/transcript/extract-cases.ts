/** Recorded completions as cases for `rawcall check`: what was read then is what is to be read. */

import { RawcallError } from '../../parsers/error.ts';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { type Collected, createCollector, isParseEvent } from '../../parsers/read.ts';
import type { Prompt, Template } from '../../templates/template.ts';
import { ExactJson } from '../json.ts';
import { openReader } from '../open-format.ts';
import { openTranscript } from './read-transcript.ts';
import type { TranscriptTool } from './transcript.ts';

/** A line of a completions file, as docs/checking.md has it. */
export type CaseLine = Readonly<Record<string, unknown>>;

/**
 * @param name stands in front of each id
 * @throws RawcallError those of reading a transcript, and `bad_transcript` for one whose completions an endpoint read
 */
export async function* extractedCases(file: string, name: string): AsyncGenerator<CaseLine, void> {
  const transcript = await openTranscript(file);
  const { model, tools } = transcript.header;
  if (model.format === 'chat')
    throw new RawcallError(
      'bad_transcript',
      `${file}: its completions were read by the endpoint that wrote them (--api chat), so there is nothing to check.`,
      { file },
    );
  const { template } = await openReader(model.format);
  const known = new Map<string, TranscriptTool>(tools.map(tool => [tool.name, tool]));
  let offered: readonly ToolDefinition[] = tools.map(definition);
  let readable = offered;
  yield { defaults: { format: model.format, tools: offered } };

  let written = offered;
  let turn = 0;
  let prefill = '';
  let shown = offered;
  let collector = createCollector();
  try {
    for await (const event of transcript.events) {
      if (isParseEvent(event)) collector.add([event]);
      switch (event.type) {
        case 'tools': {
          for (const tool of event.defined) known.set(tool.name, tool);
          offered = named(known, event.names);
          readable = event.all ? [...offered, ...others(named(known, event.all), offered)] : offered;
          break;
        }
        case 'turn-start':
          turn++;
          collector = createCollector();
          prefill = prefillOf(textOf(event.prompt), template);
          shown = showsTools(event.prompt, readable) ? readable : [];
          break;
        case 'completion-end':
          if (event.pieces.length === 0) break;
          if (JSON.stringify(shown) !== JSON.stringify(written)) {
            yield { defaults: { tools: shown } };
            written = shown;
          }
          yield {
            id: `${name}, turn ${turn}`,
            completion: event.pieces.map(({ text, control }) => (control ? { text, control } : { text })),
            ...(prefill === '' ? {} : { prefill }),
            ...(event.reason === 'stop' ? {} : { reason: event.reason }),
            expected: expectedOf(collector.collected),
          };
          break;
        default:
      }
    }
  } finally {
    await transcript.close();
  }
}

function expectedOf({ content, reasoning, ended, problems, repaired }: Collected): object {
  return {
    calls: ended.map(({ call }) => ({ name: call.name, arguments: new ExactJson(call.argumentsText) })),
    content: content.trim(),
    ...(reasoning.trim() === '' ? {} : { reasoning: reasoning.trim() }),
    problems: problems.map(({ problem }) => problem),
    repairs: [...new Set(repaired.map(({ repair }) => repair))],
  };
}

/** What a prompt's text ends with of the completion itself. */
export function prefillOf(prompt: string, { prefill }: Template): string {
  for (const thinking of [undefined, true, false]) {
    const pieces = prefill?.(thinking === undefined ? {} : { thinking }) ?? [];
    const text = pieces.map(piece => piece.text).join('');
    if (text !== '' && prompt.endsWith(text)) return text;
  }
  return '';
}

/** An answer turn may be written without the schemas, and then nothing is read as a call. */
function showsTools(prompt: Prompt, tools: readonly ToolDefinition[]): boolean {
  return tools.length === 0 || prompt.some(piece => 'text' in piece && piece.origin === 'tools');
}

const textOf = (prompt: Prompt) =>
  prompt.map(piece => ('control' in piece ? piece.control : piece.text)).join('');

function named(known: ReadonlyMap<string, TranscriptTool>, names: readonly string[]): ToolDefinition[] {
  return names.flatMap(name => {
    const tool = known.get(name);
    return tool ? [definition(tool)] : [];
  });
}

function others(all: readonly ToolDefinition[], offered: readonly ToolDefinition[]): ToolDefinition[] {
  const names = new Set(offered.map(({ name }) => name));
  return all.filter(({ name }) => !names.has(name));
}

function definition({ server: _, simplified: __, ...tool }: TranscriptTool): ToolDefinition {
  return tool;
}
