/** The probes as a model's chat template and as a format's template render them. */
import { RawcallError } from '../../parsers/error.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Template } from '../../templates/template.ts';
import { toTurns } from '../../templates/turns.ts';
import { chatMessages, chatTools, type Wording } from '../jinja/chat.ts';
import type { ChatTemplate } from '../jinja/compile.ts';
import type { Render, Rendering } from './parts.ts';
import { type Probe, words } from './probes.ts';

/** Stands for the end-of-sequence token, which a template is told and does not name itself. */
export const endOfSequence = '\uE000';

export function renderFormat(template: Template): Render {
  return ({ messages, tools, thinking }) => ({
    text: promptText(
      template.render({ messages, tools }, { ...(thinking === undefined ? {} : { thinking }) }),
    ),
  });
}

/** Chat templates differ in the shape of the arguments and of an empty content; the first that shows the call is taken. */
const asObject: Wording = {
  text: text => text,
  word: text => text,
  arguments: call => call.arguments,
  noContent: '',
};
const asText: Wording = { ...asObject, arguments: call => call.argumentsText };
export const wordings: readonly Wording[] = [asObject, asText, { ...asObject, noContent: null }];

export function renderChat(template: ChatTemplate): Render {
  return probe => {
    let first: Rendering | undefined;
    for (const wording of probe.tools.length > 0 ? wordings : [asObject]) {
      const rendering = rendered(template, probe, wording);
      if ('text' in rendering && showsCall(rendering.text)) return rendering;
      if (!first || 'failure' in first) first = rendering;
    }
    return first!;
  };
}

/** As JSON in JSON, arguments were meant to come as an object. */
const showsCall = (text: string) => text.includes(words.argument) && !text.includes(`\\"${words.argument}`);

function rendered(template: ChatTemplate, { messages, tools, thinking }: Probe, wording: Wording): Rendering {
  const values = {
    bos_token: '',
    eos_token: endOfSequence,
    messages: chatMessages(toTurns(messages), wording),
    add_generation_prompt: true,
    ...(thinking === undefined ? {} : { enable_thinking: thinking, thinking }),
  };
  let failure: Rendering | undefined;
  for (const offer of offers(chatTools(tools, wording) as readonly object[])) {
    try {
      return { text: template.render({ ...values, ...offer }) };
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      failure ??= { failure: String(error.details.why), refused: error.details.refused === true };
    }
  }
  return failure!;
}

/** Without tools some templates want an empty list and others none. */
function offers(tools: readonly object[]): readonly object[] {
  return tools.length > 0 ? [{ tools }] : [{}, { tools: [] }];
}
