/** `POST /v1/rawcall/render`: the prompt that the chat endpoint would give the model, and what it is made of. Nothing is evaluated. */
import type { Hono } from 'hono';
import { z } from 'zod';
import { promptText } from '../../../templates/prompt.ts';
import type { Origin, Prompt, RenderOptions } from '../../../templates/template.ts';
import type { PromptToken } from '../../engine/engine.ts';
import { countTokens } from '../../token-counts.ts';
import type { Exchange } from '../exchange.ts';
import { readChatRequest } from '../openai/chat-request.ts';
import { checked } from '../openai/fields.ts';
import { rawParts } from '../service.ts';

const body = z.looseObject({
  schema: z.enum(['native', 'system', 'user', 'tail', 'none']).optional(),
  schema_form: z.enum(['native', 'minified', 'signature', 'python']).optional(),
  thinking: z.boolean().optional(),
  date: z.string().optional(),
  generation_prompt: z.boolean().optional(),
});

export function addRender(app: Hono, exchange: Exchange): void {
  app.post('/v1/rawcall/render', async context => {
    const json = await exchange.body(context);
    const options = renderOptions(checked(body, json));
    const { model, turn } = readChatRequest(json);
    const service = exchange.serviceFor(model);
    const { engine, format } = rawParts(service);
    const { prompt, size } = service.prompt(turn, options);
    const tokens = engine.tokenize?.(prompt);
    return context.json({
      object: 'rawcall.render',
      model: service.id,
      format: format.name,
      text: promptText(prompt),
      pieces: placed(prompt, tokens),
      ...(tokens ? { tokens, spans: spansOf(tokens) } : {}),
      ...(size ? { counts: size.bill() } : {}),
    });
  });
}

function renderOptions(given: z.infer<typeof body>): RenderOptions {
  const named = {
    schema: given.schema,
    schemaForm: given.schema_form,
    thinking: given.thinking,
    date: given.date,
    generationPrompt: given.generation_prompt,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Each piece, where it stands in the text, and how many tokens begin in it. */
function placed(prompt: Prompt, tokens: readonly PromptToken[] | undefined) {
  const counts = tokens && countTokens(prompt, tokens).pieces;
  let end = 0;
  return prompt.map((piece, index) => {
    const start = end;
    end += ('control' in piece ? piece.control : piece.text).length;
    return { ...piece, start, end, ...(counts ? { count: counts[index] } : {}) };
  });
}

interface TokenSpan {
  readonly origin: Origin;
  /** Into the list of tokens, the end exclusive. */
  readonly start: number;
  end: number;
}

/** Neighbouring tokens of one origin. */
function spansOf(tokens: readonly PromptToken[]): TokenSpan[] {
  const spans: TokenSpan[] = [];
  for (const [index, { origin }] of tokens.entries()) {
    const last = spans.at(-1);
    if (last?.origin === origin) last.end = index + 1;
    else spans.push({ origin, start: index, end: index + 1 });
  }
  return spans;
}
