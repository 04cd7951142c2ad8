/** What the next prompt would be made of, asked anew whenever something that it depends on is another. */
import { useEffect, useState } from 'preact/hooks';
import type { BillRequest, ContextBill, Knobs, ModelState } from '../../protocol.ts';
import { ApiError, ask } from '../shell/api.ts';
import { playState } from '../shell/news.ts';

/** Turning a knob quickly asks once. */
const patience = 150;

export interface Bill {
  readonly bill: ContextBill | undefined;
  /** Why there is none. */
  readonly missing: string | undefined;
}

/** @param version changes with the dialogue */
export function useBill(dialogue: string, knobs: Knobs, version: number, busy: boolean): Bill {
  const [result, setResult] = useState<Bill>({ bill: undefined, missing: undefined });
  const model = playState.value?.model;
  const tools = playState.value?.tools.length;
  const asked = JSON.stringify(knobs);
  const missing = missingModel(model, knobs);
  useEffect(() => {
    if (busy)
      return setResult(last => (last.bill ? last : { bill: undefined, missing: missing ?? afterRun }));
    if (missing !== undefined) return setResult({ bill: undefined, missing });
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const body: BillRequest = { knobs };
      try {
        const path = `dialogues/${encodeURIComponent(dialogue)}/bill`;
        const bill = await ask<ContextBill>(path, { method: 'POST', body, signal: stop.signal });
        setResult({ bill, missing: undefined });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setResult({ bill: undefined, missing: error.message });
      }
    }, patience);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [dialogue, asked, version, busy, missing, tools]);
  return result;
}

const afterRun = 'The context is counted when the run has ended.';

/** Only the model that is open can count. */
function missingModel(model: ModelState | undefined, knobs: Knobs): string | undefined {
  if (model?.phase !== 'ready') return 'The context is counted when the model is open.';
  if (!model.hasTokenizer) return 'The model tells no tokens, so that the context cannot be counted.';
  return knobs.model === undefined || knobs.model === model.model
    ? undefined
    : 'The context is counted when the chosen model is open: with the next question.';
}
