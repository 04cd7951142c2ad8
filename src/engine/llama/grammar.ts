/** GBNF, with the control tokens of a vocabulary in it. */
import type { LlamaGrammarEvaluationState, LlamaModel, Token, TokenBias } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import type { ById } from './few.ts';
import type { Native } from './native.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface CompiledGrammar {
  /** At its beginning, and yours to move on. */
  readonly state: LlamaGrammarEvaluationState;
  readonly tokenBias: TokenBias;
  readonly byId: ById;
}

/** Compiles GBNF; @throws RawcallError `bad_grammar` */
export type Compile = (grammar: string) => Promise<CompiledGrammar>;

interface Parts {
  readonly native: Native;
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
}

const maxKept = 32;

/** The same grammar is used at every turn, so what was compiled is kept, and its state copied. */
export function openGrammars(parts: Parts): Compile {
  const kept = new Map<string, CompiledGrammar>();
  return async grammar => {
    const compiled = kept.get(grammar) ?? (await compile(grammar, parts));
    kept.delete(grammar);
    kept.set(grammar, compiled);
    for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
    return { ...compiled, state: compiled.state.clone() };
  };
}

/**
 * A control word in a grammar's literal means the control token. llama.cpp would take its letters as well, and would
 * let any control token pass as its letters inside a string rule; so literals name the token by id, and every marker
 * that the grammar does not name is banned (but those that end the generation, which the sampler rules by itself).
 */
async function compile(grammar: string, { native, model, vocabulary }: Parts): Promise<CompiledGrammar> {
  const named = nameMarkers(grammar, vocabulary);
  try {
    const parsed = await native.llama.createGrammar({ grammar: named.grammar });
    const state = new native.library.LlamaGrammarEvaluationState({ model, grammar: parsed });
    const tokenBias = native.library.TokenBias.for(model);
    for (const text of vocabulary.controlTokens) {
      const id = vocabulary.markerId(text)!;
      if (!named.ids.has(id) && !vocabulary.endsGeneration(id)) tokenBias.set(id as Token, 'never');
    }
    return { state, tokenBias, byId: byId(named.grammar) };
  } catch (cause) {
    // llama.cpp writes the reason past its own log, straight to standard error, so the commonest one is found here.
    const missing = undefinedRule(grammar);
    const reason =
      missing === undefined ? 'the line before this one says why' : `there is no rule "${missing}"`;
    throw new RawcallError(
      'bad_grammar',
      `llama.cpp can't read the grammar: ${reason}. Mend the GBNF; it begins ${JSON.stringify(grammar.slice(0, 80))}.`,
      { grammar, ...(missing === undefined ? {} : { missing }) },
      cause,
    );
  }
}

function byId(grammar: string): ById {
  const ids = new Set([...grammar.matchAll(/<\[(\d+)\]>/g)].map(([, id]) => Number(id)));
  return { ids, excluded: grammar.includes('!<[') };
}

/** Comments, character classes and literals of GBNF: what may stand around a control word. */
const lexemes = /#[^\n]*|\[(?:[^\]\\]|\\.)*\]|"((?:[^"\\]|\\.)*)"/g;

export function nameMarkers(grammar: string, vocabulary: Vocabulary): { grammar: string; ids: Set<number> } {
  const ids = new Set<number>();
  const named = grammar.replace(lexemes, (lexeme: string, literal: string | undefined) => {
    if (literal === undefined) return lexeme;
    const parts: string[] = [];
    let start = 0;
    for (const { 0: text, index } of literal.matchAll(vocabulary.markerPattern)) {
      const id = vocabulary.markerId(text)!;
      ids.add(id);
      if (index > start) parts.push(`"${literal.slice(start, index)}"`);
      parts.push(`<[${id}]>`);
      start = index + text.length;
    }
    if (parts.length === 0) return lexeme;
    if (start < literal.length) parts.push(`"${literal.slice(start)}"`);
    return parts.length === 1 ? parts[0]! : `(${parts.join(' ')})`;
  });
  return { grammar: named, ids };
}

function undefinedRule(grammar: string): string | undefined {
  const rules = grammar.replace(lexemes, ' ').replace(/<\[\d+\]>|\{[\d,\s]*\}/g, ' ');
  const defined = new Set([...rules.matchAll(/([\w-]+)\s*::=/g)].map(([, name]) => name));
  if (!defined.has('root')) return 'root';
  return rules.match(/[A-Za-z][\w-]*/g)?.find(name => !defined.has(name));
}
