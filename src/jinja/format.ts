/**
 * The format of a model that rawcall does not know: its own chat template, rendered by Jinja, and a parser for the calls that
 * this template writes. A built-in format is to be preferred where there is one: it knows where the template is wrong, and how
 * a reply is opened after a result.
 */
import { RawcallError } from '../../parsers/error.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Message, Template } from '../../templates/template.ts';
import { errandOf, talkOf } from '../detection/parts.ts';
import { errand, words } from '../detection/probes.ts';
import { mannerOf, renderChat } from '../detection/render.ts';
import { type Format, formatNamed } from '../format.ts';
import { compileChatTemplate } from './compile.ts';
import { openingsOf } from './openings.ts';
import { syntaxOf } from './syntax.ts';
import { jinjaTemplate } from './template.ts';

export interface JinjaOptions {
  /** GGUF's `tokenizer.chat_template`, or what a `chat_template.jinja` holds. */
  readonly chatTemplate: string;
  /** A format by its name, for its parser. Default: the one that reads the call that the template renders. */
  readonly calls?: string;
  /** The texts of the vocabulary's control tokens. Default: those of the format whose parser it is. */
  readonly controlTokens?: Iterable<string>;
  readonly bosToken?: string;
  /** Default: the usual stop of the format whose parser it is. */
  readonly eosToken?: string;
}

export interface JinjaFormat extends Format {
  /** What this chat template cannot do, for people. */
  readonly notes: readonly string[];
}

/**
 * @throws RawcallError `bad_chat_template`; `format_not_detected` where the template writes calls that no parser here reads and
 * none is named; `unknown_format`
 */
export async function jinjaFormat(options: JinjaOptions): Promise<JinjaFormat> {
  const template = await compileChatTemplate(options.chatTemplate);
  const named = options.calls === undefined ? undefined : formatNamed(options.calls);
  const special = (eos: string) => ({
    bos_token: options.bosToken ?? '',
    eos_token: options.eosToken ?? eos,
  });
  const probing = renderChat(template, special(''));
  const talk = talkOf(probing);
  if ('failure' in talk) throw cannotRender(talk.failure);

  const shown = errandOf(probing);
  const calls = named ?? syntaxOf(probing, openingsOf(probing, undefined));
  if (!calls && shown !== 'no tools') throw notRead(shown === 'not rendered');
  const notes =
    shown === 'no tools' ? ['its chat template shows no tools, so the model is not told of any'] : [];

  // Without tools nothing is called, whoever reads the replies.
  const { name, parser, template: known } = calls ?? formatNamed('hermes');
  const controlTokens = [...(options.controlTokens ?? known.controlTokens)];
  const ends = endsOf(talk.turn, controlTokens, known, options.eosToken);
  const stops = ends.filter(token => isStop(token, known));
  const format = {
    name: `jinja:${name}`,
    parser,
    template: jinjaTemplate({
      name: `jinja:${name}`,
      template,
      manner: mannerOf(template),
      special: special(known.stops[0] ?? ''),
      controlTokens,
      stops: stops.length > 0 ? stops : known.stops,
      ends,
      ...(typeof shown === 'object' && shown.call === undefined ? { writeCalls: parser.write } : {}),
      repeatsName: typeof shown === 'object' && shown.result.includes(words.tool),
    }),
  };
  if (!keepsReplies(format, shown !== 'no tools'))
    notes.push(
      'its chat template does not keep replies as they were written, so each turn is evaluated anew',
    );
  return { ...format, notes };
}

/** What may end a reply: what stands behind one in the history, and the stops of the format with the same calls. */
function endsOf(
  turn: string,
  controlTokens: readonly string[],
  known: Template,
  eosToken: string | undefined,
): string[] {
  const places = controlTokens.map(token => ({ token, at: turn.indexOf(token) })).filter(({ at }) => at >= 0);
  const [first] = places.sort((left, right) => left.at - right.at || right.token.length - left.token.length);
  const tokens = new Set(controlTokens);
  const stops = known.stops.filter(stop => tokens.has(stop));
  const ends = [...(first ? [first.token] : []), ...(eosToken ? [eosToken] : []), ...stops];
  return ends.length > 0 ? [...new Set(ends)] : [...known.stops];
}

/** A token that a format knows and does not stop at ends a part of a reply only, as Harmony's `<|end|>` does. */
function isStop(token: string, { stops, controlTokens }: Template): boolean {
  return stops.includes(token) || !controlTokens.includes(token);
}

/** Whether a reply comes back in the next prompt just as the model wrote it. */
function keepsReplies({ template }: Format, withCalls: boolean): boolean {
  const [asked, called, result] = errand.messages as [Message, Message, Message];
  const completion = [{ text: ' \n a probe, as it was written\n ' }];
  const tools = withCalls ? errand.tools : [];
  const kept = (reply: Message, next: Message) => {
    const before = promptText(template.render({ messages: [asked], tools }));
    const prefill = (template.prefill?.() ?? []).map(piece => piece.text).join('');
    const after = promptText(
      template.render({ messages: [asked, { ...reply, completion } as Message, next], tools }),
    );
    return after.startsWith(before.slice(0, before.length - prefill.length) + completion[0]!.text);
  };
  return kept({ role: 'assistant', content: 'probe' }, asked) && (!withCalls || kept(called, result));
}

function cannotRender(why: string): RawcallError {
  return new RawcallError(
    'bad_chat_template',
    `The chat template does not render two plain turns: ${why}. Give a format by its name.`,
    { why },
  );
}

function notRead(failed: boolean): RawcallError {
  const what = failed
    ? 'The chat template cannot be rendered with a tool'
    : 'The chat template writes calls in a way that no parser here reads';
  return new RawcallError(
    'format_not_detected',
    `${what}. If you know whose calls the model writes, name the format: jinja:hermes, for example.`,
    {},
  );
}
