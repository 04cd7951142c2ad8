/** Dialogues over HTTP. */
import type { Hono } from 'hono';
import { z } from 'zod';
import type { Piece } from '../../parsers/parser.ts';
import { badRequest, refuse } from '../server/api-error.ts';
import { bodyOf, jsonOf, lineStream } from './answers.ts';
import { contextBill } from './bill.ts';
import type { Desk } from './desk.ts';
import { conflict } from './dialogue.ts';
import type { Dialogues } from './dialogues.ts';
import { growing } from './growing.ts';
import { packTurn } from './packed-turn.ts';
import type { Asked } from './protocol.ts';
import { rawTurn } from './raw-turns.ts';

const knobs = z.looseObject({});
const name = z.string().trim().min(1).max(200);
const newDialogue = z.looseObject({ name: name.optional() });
const renaming = z.looseObject({ name });
const question = z.looseObject({
  question: z.string().refine(text => text.trim() !== '', 'The question is empty.'),
  knobs,
  at: z.int().min(0).optional(),
});
const billRequest = z.looseObject({ knobs });

/** What a turn that has ended writes. */
const over = growing<Piece>();
over.close();

export function addDialogueRoutes(api: Hono, desk: Desk, dialogues: Dialogues): void {
  api.get('/dialogues', context => context.json(dialogues.summaries));
  api.post('/dialogues', async context => {
    const given = await bodyOf(context, newDialogue);
    return context.json(dialogues.create(given.name).summary, 201);
  });
  api.patch('/dialogues/:id', async context => {
    const dialogue = dialogues.get(context.req.param('id'));
    dialogue.rename((await bodyOf(context, renaming)).name);
    return context.json(dialogue.summary);
  });
  api.delete('/dialogues/:id', async context => {
    await dialogues.remove(context.req.param('id'));
    return context.body(null, 204);
  });

  api.get('/dialogues/:id/events', context => {
    const { events } = dialogues.get(context.req.param('id')).log;
    const from = countIn(context.req.query('from') ?? '0', 'from', 0);
    return lineStream(signal => events.follow(from, signal));
  });
  api.post('/dialogues/:id/ask', async context => {
    const dialogue = dialogues.get(context.req.param('id'));
    const given = await bodyOf(context, question);
    const { seq } = dialogue.ask(given.question, desk.check(given.knobs), given.at);
    return context.json({ seq } satisfies Asked, 202);
  });
  api.post('/dialogues/:id/stop', async context => {
    await dialogues.get(context.req.param('id')).stop();
    return context.json({}, 202);
  });
  api.post('/dialogues/:id/answers/:ask', async context => {
    const { id, ask } = context.req.param();
    if (!dialogues.get(id).answer(ask, await jsonOf(context)))
      conflict('This is not asked any more: it was answered, or its run has ended.');
    return context.json({}, 202);
  });
  api.post('/dialogues/:id/bill', async context => {
    const dialogue = dialogues.get(context.req.param('id'));
    const given = await bodyOf(context, billRequest);
    return context.json(await contextBill(desk, dialogue, desk.check(given.knobs)));
  });
  api.get('/dialogues/:id/turns/:turn', context => {
    const { events, prompts } = dialogues.get(context.req.param('id')).log;
    const number = countIn(context.req.param('turn'), 'turn', 1);
    const turn = rawTurn({ events: events.items, prompts }, number);
    return context.json(packTurn(turn ?? noTurn(number, prompts.length)));
  });
  api.get('/dialogues/:id/turns/:turn/live', context => {
    const dialogue = dialogues.get(context.req.param('id'));
    const number = countIn(context.req.param('turn'), 'turn', 1);
    const { length } = dialogue.log.prompts;
    if (number > length) noTurn(number, length);
    const pieces = dialogue.written(number) ?? over;
    return lineStream(signal => pieces.follow(0, signal));
  });
}

function countIn(text: string, where: string, least: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= least) return count;
  return badRequest(`"${where}" must be a whole number from ${least} on.`, where);
}

function noTurn(turn: number, turns: number): never {
  return refuse({
    status: 404,
    type: 'invalid_request_error',
    code: 'unknown_turn',
    message: `This dialogue has no turn ${turn}: there are ${turns}, and the first is 1.`,
  });
}
