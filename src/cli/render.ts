/** `rawcall render`: the exact prompt for a dialogue, its control tokens marked, its tokens counted where a model is given. */
import pc from 'picocolors';
import { promptText } from '../../templates/prompt.ts';
import type { Prompt } from '../../templates/template.ts';
import { jsonLine } from '../json.ts';
import { countTokens, type TokenCounts } from '../token-counts.ts';
import { dateText } from './clock.ts';
import { exitCodes } from './exit.ts';
import { markedPrompt } from './marked.ts';
import { modelFormat, namedFormat, openVocabulary } from './open-model.ts';
import { writeOut } from './output.ts';
import type { Context } from './program.ts';
import { readConversation } from './read-messages.ts';
import { withShownSchemas } from './shown-schemas.ts';

export async function render(file: string, { values, lifetime }: Context<{ raw?: true }>): Promise<number> {
  const conversation = await readConversation(file);
  const named = await namedFormat(values);
  const needsModel = values.model !== undefined || !(named || values.chatTemplate);
  const vocabulary = needsModel ? await openVocabulary(values, lifetime) : undefined;
  const format = withShownSchemas(named ?? (await modelFormat(values, vocabulary)), values);
  const { schema, schemaForm, thinking } = values;
  const prompt = format.template.render(conversation, {
    date: dateText(new Date()),
    ...(schema ? { schema } : {}),
    ...(schemaForm ? { schemaForm } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  });
  if (values.raw) {
    await writeOut(promptText(prompt));
    return exitCodes.answered;
  }

  const counts =
    vocabulary && values.model !== undefined ? countTokens(prompt, vocabulary.tokenize(prompt)) : undefined;
  if (values.json) await writeOut(`${jsonLine(asJson(format.name, prompt, counts))}\n`);
  else {
    await writeOut(
      `${markedPrompt(prompt, pc.createColors(process.stdout.isTTY === true && pc.isColorSupported))}\n`,
    );
    if (counts) process.stderr.write(table(prompt, counts));
  }
  return exitCodes.answered;
}

function asJson(format: string, prompt: Prompt, counts: TokenCounts | undefined): object {
  const pieces = prompt.map((piece, index) => (counts ? { ...piece, count: counts.pieces[index] } : piece));
  return { format, pieces, ...(counts ? { tokens: counts.total } : {}) };
}

function table(prompt: Prompt, { pieces, total }: TokenCounts): string {
  const rows = prompt.map((piece, index) => {
    const [kind, text] = 'control' in piece ? ['control', piece.control] : [piece.origin, piece.text];
    const words = JSON.stringify(text);
    return `${String(pieces[index]).padStart(7)}  ${kind.padEnd(9)}  ${words.length > 60 ? `${words.slice(0, 59)}…` : words}`;
  });
  return `${rows.join('\n')}\n${String(total).padStart(7)}  tokens\n`;
}
