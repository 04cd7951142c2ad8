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
    if (probe.tools.length === 0) return rendered(template, probe, manners[0]!, special);
    return renderedWell(template, probe, special).rendering;
  };
}

/** The manner in which a chat template shows a call best, or the usual one. */
export function mannerOf(template: ChatTemplate): Manner {
  return renderedWell(template, errand, unknownTokens).manner;
}

/** The first manner that shows the call; else one that shows the tool; else one in which the template says no, or fails. */
function renderedWell(template: ChatTemplate, probe: Probe, special: SpecialTokens) {
  const tried: { readonly manner: Manner; readonly rendering: Rendering; readonly rank: number }[] = [];
  for (const manner of manners) {
    const rendering = rendered(template, probe, manner, special);
    // Tools in a system message that do not show were not looked for there.
    const shown = rankOf(rendering);
    const rank = manner.tools === 'system' && shown < 3 ? -1 : shown;
    tried.push({ manner, rendering, rank });
    if (rank === 4) break;
  }
  return tried.reduce((best, one) => (one.rank > best.rank ? one : best));
}

function rankOf(rendering: Rendering): number {
  // That a template says no tells more than that another manner is not its own.
  if ('failure' in rendering) return rendering.refused ? 1 : 0;
  if (showsCall(rendering.text)) return 4;
  return rendering.text.includes(words.tool) ? 3 : 2;
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
    tools: manner.tools,
  };
  try {
    return { text: renderConversation(template, toTurns(messages), tools, wording, { special, thinking }) };
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return { failure: String(error.details.why), refused: error.details.refused === true };
  }
}
