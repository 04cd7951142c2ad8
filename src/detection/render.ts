/** The probes as a model's chat template and as a format's template render them. */
import { RawcallError } from '../../parsers/error.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Template } from '../../templates/template.ts';
import { toTurns } from '../../templates/turns.ts';
import { type Manner, manners, renderConversation, type SpecialTokens, type Wording } from '../jinja/chat.ts';
import type { ChatTemplate } from '../jinja/compile.ts';
import type { Render, Rendering } from './parts.ts';
import { errand, type Probe, words } from './probes.ts';

/** Stands for the end-of-sequence token, which a template is told and does not name itself. */
export const endOfSequence = '\uE000';

export function renderFormat(template: Template): Render {
  return ({ messages, tools, thinking }) => ({
    text: promptText(
      template.render({ messages, tools }, { ...(thinking === undefined ? {} : { thinking }) }),
    ),
  });
}

export function renderChat(template: ChatTemplate, special: SpecialTokens = unknownTokens): Render {
  return probe => {
    let first: Rendering | undefined;
    for (const manner of probe.tools.length > 0 ? manners : manners.slice(0, 1)) {
      const rendering = rendered(template, probe, manner, special);
      if ('text' in rendering && showsCall(rendering.text)) return rendering;
      // That a template says no tells more than that another manner is not its own.
      if (!first || ('failure' in first && ('text' in rendering || !first.refused))) first = rendering;
    }
    return first!;
  };
}

/** The manner in which a chat template shows a call, or the usual one. */
export function mannerOf(template: ChatTemplate): Manner {
  const shows = (manner: Manner) => {
    const rendering = rendered(template, errand, manner, unknownTokens);
    return 'text' in rendering && showsCall(rendering.text);
  };
  return manners.find(shows) ?? manners[0]!;
}

const unknownTokens: SpecialTokens = { bos_token: '', eos_token: endOfSequence };

/** As JSON in JSON, arguments were meant to come as an object. */
const showsCall = (text: string) => text.includes(words.argument) && !text.includes(`\\"${words.argument}`);

function rendered(
  template: ChatTemplate,
  { messages, tools, thinking }: Probe,
  manner: Manner,
  special: SpecialTokens,
): Rendering {
  const wording: Wording = {
    text: text => text,
    word: text => text,
    arguments: call => (manner.arguments === 'object' ? call.arguments : call.argumentsText),
    noContent: manner.noContent,
  };
  try {
    return { text: renderConversation(template, toTurns(messages), tools, wording, { special, thinking }) };
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return { failure: String(error.details.why), refused: error.details.refused === true };
  }
}
