/** A model's own chat template as one of ours: what it renders of a conversation, in pieces. */
import { alternatives } from '../../parsers/alternatives.ts';
import { RawcallError } from '../../parsers/error.ts';
import { jsonLexemes, spacedJson } from '../../parsers/json-text.ts';
import type { Parser, Piece, ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import { promptBuilder } from '../../templates/prompt.ts';
import type { Prompt, RenderOptions, Template } from '../../templates/template.ts';
import { type Turn, toTurns } from '../../templates/turns.ts';
import { renderChat } from '../detection/render.ts';
import { type Manner, renderConversation, type SpecialTokens, type Wording } from './chat.ts';
import type { ChatTemplate } from './compile.ts';
import { type Chunk, putBack } from './completions.ts';
import { createMarks, type Marks } from './marks.ts';
import { type Openings, openingsOf } from './openings.ts';

export interface JinjaTemplateOptions {
  readonly name: string;
  readonly template: ChatTemplate;
  readonly manner: Manner;
  readonly special: SpecialTokens;
  readonly controlTokens: readonly string[];
  readonly stops: readonly string[];
  /** What ends a reply in the history: the stops and what else may stand there. */
  readonly ends: readonly string[];
  /** As in `ReplyFrame`. */
  readonly repeatsName: boolean;
  /** Writes calls, where the template has no form for them. */
  readonly writeCalls?: Parser['write'];
}

export function jinjaTemplate(options: JinjaTemplateOptions): Template {
  const { name, template, manner, special, stops, ends, repeatsName, writeCalls } = options;
  // The longest first, since some begin with others.
  const controlTokens = [...options.controlTokens].sort((left, right) => right.length - left.length);
  const pattern = new RegExp(alternatives(controlTokens), 'g');
  const known = new Map<boolean | undefined, Openings>();

  function openings(thinking: boolean | undefined): Openings {
    let found = known.get(thinking);
    if (!found) {
      found = openingsOf(renderChat(template, special), thinking);
      known.set(thinking, found);
    }
    return found;
  }

  /** The template leaves calls out, so they are given as what the model wrote. */
  function leftOut(turn: Turn): Turn {
    if (!writeCalls || turn.role !== 'assistant' || turn.completion || !turn.toolCalls) return turn;
    return { ...turn, completion: [{ text: turn.content }, ...writeCalls(turn.toolCalls)] };
  }

  function chunksOf({ turns, tools, marks, how }: Job): readonly Chunk[] {
    const { thinking, generationPrompt, date } = how;
    const chat = { special, thinking, generationPrompt, date };
    const wording = wordingOf(marks, manner);
    const { afterUser, afterResult } = openings(thinking);
    const written = (given: readonly Turn[]) => {
      const rendered = renderConversation(template, given.map(placeholder), tools, wording, chat);
      return putBack(marks.segments(rendered), given, { afterUser, afterResult, ends, repeatsName });
    };
    // A template may leave a call out, or more: then the reply's place is marked as plain words, and at last it is written anew.
    const given = [...turns];
    for (const other of [inWords, withoutCompletion]) {
      const { chunks, missed } = written(given);
      if (missed.length === 0) return chunks;
      for (const at of missed) given[at] = other(given[at]!);
    }
    return written(given).chunks;
  }

  return {
    name,
    stops,
    controlTokens,
    prefill: how => split(openings(how?.thinking).prefill, pattern),
    render(conversation, how = {}) {
      const { schema = 'native', schemaForm = 'native' } = how;
      if (schema !== 'native' && schema !== 'none')
        throw new RawcallError(
          'unsupported_placement',
          `A model's own chat template has one place for the tools, so they cannot stand in "${schema}". Use "native", or a built-in format.`,
          { schema },
        );
      if (schemaForm !== 'native')
        throw new RawcallError(
          'unsupported_schema_form',
          `A model's own chat template writes the schemas itself, so they cannot be written as "${schemaForm}". Use "native", or a built-in format.`,
          { schemaForm },
        );
      const tools = schema === 'none' ? [] : conversation.tools;
      const turns = toTurns(conversation.messages).map(leftOut);
      const marks = createMarks(JSON.stringify([turns, tools]) + template.source, pattern);
      return assemble(chunksOf({ turns, tools, marks, how }), pattern, marks);
    },
  };
}

/** What is rendered of one call. */
interface Job {
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolDefinition[];
  readonly marks: Marks;
  readonly how: RenderOptions;
}

/** A reply that is to be put back needs one text by which its place is found, and no thought before that. */
function placeholder(turn: Turn): Turn {
  if (turn.role !== 'assistant' || !turn.completion) return turn;
  const { reasoning: _, content, ...rest } = turn;
  if ((turn.toolCalls ?? []).length > 0) return { ...rest, content: '' };
  return { ...rest, content: content.trim() === '' ? 'x' : content };
}

function inWords(turn: Turn): Turn {
  if (turn.role !== 'assistant') return turn;
  const { toolCalls: _, ...rest } = turn;
  return rest;
}

function withoutCompletion(turn: Turn): Turn {
  if (turn.role !== 'assistant') return turn;
  const { completion: _, ...rest } = turn;
  return rest;
}

function wordingOf(marks: Marks, { arguments: shape, noContent, tools }: Manner): Wording {
  return {
    text: marks.text,
    word: marks.word,
    noContent,
    tools,
    arguments: (call, turn) =>
      shape === 'text'
        ? marks.text(spacedJson(call.argumentsText), 'assistant', turn)
        : exactArguments(call, turn, marks),
  };
}

/** Every text in them marked, and every number that JavaScript would not print as it stands. */
function exactArguments({ argumentsText }: ToolCall, turn: number, marks: Marks): unknown {
  let json = '';
  for (const lexeme of jsonLexemes(argumentsText)) {
    const number = /^-?\d/.test(lexeme);
    if (lexeme.startsWith('"'))
      json += JSON.stringify(marks.text(JSON.parse(lexeme) as string, 'assistant', turn));
    else if (number && String(Number(lexeme)) !== lexeme) json += JSON.stringify(marks.number(lexeme, turn));
    else json += lexeme;
  }
  return JSON.parse(json);
}

/** What the template itself wrote and spells a control token is one; what came from the conversation never is. */
function assemble(chunks: readonly Chunk[], pattern: RegExp, marks: Marks): Prompt {
  const written = chunks.flatMap(chunk =>
    'text' in chunk && chunk.origin === 'template' ? (chunk.text.match(pattern) ?? []) : [],
  );
  const out = promptBuilder([...new Set(written)].sort((left, right) => right.length - left.length));
  for (const chunk of chunks) {
    if ('pieces' in chunk) out.pieces(chunk.pieces, 'assistant');
    else if (chunk.origin === 'template') out.scaffold(chunk.text);
    else out.text(chunk.text, chunk.origin);
  }
  return out
    .build()
    .map(piece =>
      'text' in piece && piece.origin === 'template' ? { ...piece, text: marks.restore(piece.text) } : piece,
    );
}

function split(text: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: match[0], control: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
