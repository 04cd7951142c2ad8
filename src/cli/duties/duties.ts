/** What servers may ask of a session: folders, texts of its model, and answers of its user. And what they log. */
import type { ApprovalRules } from '../../agent/approval.ts';
import { createSampler, type Sampler, type SamplerOptions } from '../../agent/sampler.ts';
import { samplingApproval } from '../../agent/sampling-approval.ts';
import { samplingReported } from '../../agent/sampling-events.ts';
import type { HostOptions } from '../../mcp/host.ts';
import type { Lines } from '../lines.ts';
import type { Report } from '../report.ts';
import type { Values } from '../settings.ts';
import { elicitor } from './elicit.ts';
import { createFloor, type Floor } from './floor.ts';
import { openRoots, type Roots } from './roots.ts';
import { samplingQuestion } from './sample.ts';

export interface DutiesOptions {
  readonly values: Values;
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  readonly report: Report;
  /** Where the user answers. Absent: servers are told that there is nobody. */
  readonly lines?: Lines;
  /** The run in which servers may ask. */
  readonly run: () => AbortSignal | undefined;
}

export interface Duties {
  readonly host: Pick<HostOptions, 'duties' | 'onLog' | 'logLevel'>;
  readonly roots: Roots;
  readonly floor: Floor;
  /** From now on servers may ask this model. */
  useModel(options: Omit<SamplerOptions, 'approve' | 'run'>): void;
}

/** @throws RawcallError `usage` for a root that is no folder */
export function openDuties({ values, rules, report, lines, run }: DutiesOptions): Duties {
  const roots = openRoots(values.root);
  const floor = createFloor();
  const ask = lines && samplingQuestion({ report, floor, lines, run });
  const approve = samplingApproval({ rules, ...(ask ? { ask } : {}) });
  let sampler: Sampler | undefined;
  const logged = values.json || values.show?.includes('logs');

  return {
    roots,
    floor,
    useModel(options) {
      sampler = createSampler({ ...options, approve, run });
    },
    host: {
      duties: {
        roots: () => roots.list,
        sample: samplingReported(report, () => sampler),
        ...(lines ? { elicit: elicitor({ lines, report, floor, run }) } : {}),
      },
      ...(logged ? { onLog: log => report({ type: 'server-log', ...log }) } : {}),
      ...(values.logLevel ? { logLevel: values.logLevel } : {}),
    },
  };
}
