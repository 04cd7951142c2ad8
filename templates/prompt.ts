/** Builds a Prompt: neighbours of one kind and origin are merged as they are added. */
import { alternatives } from '../parsers/alternatives.ts';
import type { Piece } from '../parsers/parser.ts';
import type { Control, Origin, Prompt, Text } from './template.ts';

export interface PromptBuilder {
  /** Text of the template's own; the control tokens named when the builder was made become control pieces. */
  scaffold(text: string): void;
  /** Somebody's text: never a control token. */
  text(text: string, origin: Origin): void;
  /** Pieces that a parser wrote or a model generated, control tokens and all. */
  pieces(pieces: readonly Piece[], origin: Origin): void;
  build(): Prompt;
}

export function promptBuilder(controlTokens: readonly string[]): PromptBuilder {
  const prompt: (Control | Text)[] = [];
  const split = splitter(controlTokens);
  /** The last piece, where more text may be joined to it. */
  let open: { text: string; readonly origin: Origin } | undefined;

  function add(text: string, origin: Origin, tokens?: readonly number[]): void {
    if (text === '') return;
    if (tokens !== undefined) {
      prompt.push({ text, origin, tokens });
      open = undefined;
    } else if (open?.origin === origin) open.text += text;
    else {
      open = { text, origin };
      prompt.push(open);
    }
  }

  function control(text: string, tokens?: readonly number[]): void {
    prompt.push(tokens === undefined ? { control: text } : { control: text, tokens });
    open = undefined;
  }

  return {
    scaffold(text) {
      const parts = split(text);
      for (let index = 0; index < parts.length; index++) {
        if (index % 2 === 1) control(parts[index]!);
        else add(parts[index]!, 'template');
      }
    },
    text: add,
    pieces(pieces, origin) {
      for (const piece of pieces) {
        if (piece.control) control(piece.text, piece.tokens);
        else add(piece.text, origin, piece.tokens);
      }
    },
    build: () => prompt,
  };
}

type Split = (text: string) => readonly string[];

/** A template has few texts of its own and writes them at every turn. */
const splitters = new WeakMap<readonly string[], Split>();
const mostKept = 200;

/** Control tokens stand at the odd places of what it gives. */
function splitter(controlTokens: readonly string[]): Split {
  const known = splitters.get(controlTokens);
  if (known) return known;
  const controls = new RegExp(`(${alternatives(controlTokens)})`);
  const kept = new Map<string, readonly string[]>();
  const split: Split = text => {
    const parts = kept.get(text) ?? text.split(controls);
    if (kept.size < mostKept) kept.set(text, parts);
    return parts;
  };
  splitters.set(controlTokens, split);
  return split;
}

/** The prompt as one string, which is what a model's own template would give. */
export function promptText(prompt: Prompt): string {
  let text = '';
  for (const piece of prompt) text += 'control' in piece ? piece.control : piece.text;
  return text;
}

/** Pieces of a completion as pieces of a prompt. */
export function promptOf(pieces: readonly Piece[], origin: Origin): Prompt {
  return pieces.map(({ text, control, tokens }) => {
    const ids = tokens === undefined ? {} : { tokens };
    return control ? { control: text, ...ids } : { text, origin, ...ids };
  });
}
