/** What the next prompt would be made of, asked anew whenever something that it depends on is another. */
import { useEffect, useState } from 'preact/hooks';
import type { BillRequest, ContextBill, Knobs } from '../../protocol.ts';
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
  // A model that was opened, and tools that joined, make it another one.
  useEffect(() => {
    if (busy) return;
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
  }, [dialogue, asked, version, busy, model?.phase, model?.model, tools]);
  return result;
}
