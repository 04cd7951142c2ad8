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

  function add(text: string, origin: Origin, tokens?: readonly number[]): void {
    if (text === '') return;
    const last = prompt.at(-1);
    if (
      tokens === undefined &&
      last &&
      'text' in last &&
      last.origin === origin &&
      last.tokens === undefined
    ) {
      prompt[prompt.length - 1] = { text: last.text + text, origin };
    } else prompt.push(tokens === undefined ? { text, origin } : { text, origin, tokens });
  }

  return {
    scaffold(text) {
      for (const [index, part] of split(text).entries()) {
        if (index % 2 === 1) prompt.push({ control: part });
        else add(part, 'template');
      }
    },
    text: add,
    pieces(pieces, origin) {
      for (const { text, control, tokens } of pieces) {
        if (!control) add(text, origin, tokens);
        else prompt.push(tokens === undefined ? { control: text } : { control: text, tokens });
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
  return prompt.map(piece => ('control' in piece ? piece.control : piece.text)).join('');
}

/** Pieces of a completion as pieces of a prompt. */
export function promptOf(pieces: readonly Piece[], origin: Origin): Prompt {
  return pieces.map(({ text, control, tokens }) => {
    const ids = tokens === undefined ? {} : { tokens };
    return control ? { control: text, ...ids } : { text, origin, ...ids };
  });
}
