/** Which dialogue a server means when it asks for something: the one whose call of this server began last and still runs. */
import { RawcallError } from '../../parsers/error.ts';
import type { Sampler } from '../agent/sampler.ts';
import type { HostDuties } from '../mcp/features.ts';
import type { Host } from '../mcp/host.ts';
import type { ToolSource } from '../tools.ts';

export interface Caller {
  readonly elicit: NonNullable<HostDuties['elicit']>;
  readonly sample: Sampler;
}

export interface Callers {
  /** What servers may ask. */
  readonly duties: Required<Pick<HostDuties, 'elicit' | 'sample'>>;
  /** The calls of this source are the caller's. */
  calls(source: ToolSource, origin: Host['origin'], caller: Caller): ToolSource;
}

export function openCallers(): Callers {
  const calling: { readonly server: string; readonly caller: Caller }[] = [];
  const callerOf = (server: string) => calling.findLast(one => one.server === server)?.caller;
  return {
    duties: {
      async elicit(request, signal) {
        const caller = callerOf(request.server);
        if (!caller) return { action: 'decline', reason: nobody };
        return caller.elicit(request, signal);
      },
      async sample(request, signal) {
        const caller = callerOf(request.server);
        if (!caller)
          throw new RawcallError('sampling_refused', `The model was not asked: ${nobody}.`, {
            reason: nobody,
          });
        return caller.sample(request, signal);
      },
    },
    calls(source, origin, caller) {
      return {
        get tools() {
          return source.tools;
        },
        ...(source.choice ? { choice: source.choice } : {}),
        async call(name, args, options) {
          const one = { server: origin(name)?.server ?? '', caller };
          calling.push(one);
          try {
            return await source.call(name, args, options);
          } finally {
            calling.splice(calling.indexOf(one), 1);
          }
        },
      };
    },
  };
}

const nobody = 'no question is being answered';
