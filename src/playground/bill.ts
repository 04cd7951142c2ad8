/** What the next question's prompt would be made of. */
import { refuse } from '../server/api-error.ts';
import type { Desk } from './desk.ts';
import { type Dialogue, standingMessages } from './dialogue.ts';
import type { ContextBill, Knobs } from './protocol.ts';

/** @throws RawcallError `api_error` (409): the model is not open, or has no tokenizer */
export async function contextBill(desk: Desk, { log }: Dialogue, knobs: Knobs): Promise<ContextBill> {
  using place = await desk.present(knobs);
  if (!place) return noBill('The model is not open yet; the next question opens it.');
  const agent = place.agent({
    lane: log.id,
    messages: standingMessages(log, place),
    approve: async () => ({ allowed: false }),
    begun: new Date(log.createdAt),
    recorded: false,
  });
  const bill = agent.bill();
  const perTool = place.costs(desk.host.tools);
  if (!bill || !perTool) return noBill('This model has no tokenizer, so nothing can be counted.');
  const { template, system, tools, user, assistant, tool: results, total } = bill;
  const { contextSize } = place;
  return {
    ...{ template, system, tools, history: user + assistant, results, total, perTool },
    contextSize,
    free: contextSize - total,
  };
}

function noBill(message: string): never {
  return refuse({ status: 409, type: 'invalid_request_error', code: 'no_bill', message });
}
