/**
 * Which of several endpoints takes a request: the least busy of those that are well. One that failed rests, longer each time, and
 * is then tried again; where all of them rest, the one that is ready first is waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './address.ts';

export interface Lease {
  readonly address: Address;
  /** It answered: it is well. */
  well(): void;
  /** It failed: it rests for so many milliseconds, or as its failures in a row say. */
  rest(wait?: number): void;
  /** The request is over. */
  leave(): void;
}

export interface Pool {
  readonly size: number;
  /** `lane`: prompts that continue each other go to one endpoint, which has evaluated their beginning, if it is not busier than others. */
  lease(options?: { readonly lane?: string; readonly signal?: AbortSignal }): Promise<Lease>;
}

export interface PoolOptions {
  readonly now?: () => number;
  /** From 0 to 1: many clients that failed together must not come again together. */
  readonly random?: () => number;
}

const shortestRest = 500;
const longestRest = 30_000;

interface Member {
  readonly address: Address;
  busy: number;
  failures: number;
  restsUntil: number;
}

export function createPool(
  addresses: readonly Address[],
  { now = Date.now, random = Math.random }: PoolOptions = {},
): Pool {
  const members = addresses.map((address): Member => ({ address, busy: 0, failures: 0, restsUntil: 0 }));
  const lanes = new Map<string, Member>();

  function best(lane: string | undefined): Member | undefined {
    const last = lane === undefined ? undefined : lanes.get(lane);
    return members
      .filter(member => member.restsUntil <= now())
      .sort((left, right) => left.busy - right.busy || Number(right === last) - Number(left === last))[0];
  }

  return {
    size: members.length,
    async lease({ lane, signal } = {}) {
      let member = best(lane);
      while (!member) {
        const soonest = Math.min(...members.map(({ restsUntil }) => restsUntil));
        await sleep(Math.max(1, soonest - now()), undefined, signal ? { signal } : {});
        member = best(lane);
      }
      const taken = member;
      taken.busy++;
      if (lane !== undefined) lanes.set(lane, taken);
      let left = false;
      return {
        address: taken.address,
        well() {
          taken.failures = 0;
        },
        rest(wait) {
          taken.failures++;
          const grown = Math.min(longestRest, shortestRest * 2 ** (taken.failures - 1));
          taken.restsUntil = now() + (wait ?? grown * (0.75 + random() / 2));
        },
        leave() {
          if (!left) taken.busy--;
          left = true;
        },
      };
    },
  };
}
