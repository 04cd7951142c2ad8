/**
 * The contract of recorded runs and evaluations. Types only.
 *
 * | route (below `/play/api`)              | request       | answer                                                       |
 * | -------------------------------------- | ------------- | ------------------------------------------------------------ |
 * | GET runs                               |               | `RunList`                                                    |
 * | GET runs/:id                           |               | `RecordedRuns`                                               |
 * | POST runs/:id/replay                   | `ReplayOrder` | `Replayed`                                                   |
 * | GET evals                              |               | `EvalList`                                                   |
 * | GET evals/:id                          |               | `EvalReport`                                                 |
 * | GET evals/:id/samples/:n/transcript    |               | `RecordedRuns`; n is a `FailedSample.number`                 |
 * | POST evals/:id/samples/:n/replay       | `ReplayOrder` | `Replayed`                                                   |
 * | POST runs/read                         | `GivenFile`   | `ReadFile`: a file that the user dropped on the page         |
 * | POST runs/replay                       | `GivenReplay` | `Replayed`                                                   |
 */

import type { Metrics, RateName } from '../../eval/metrics.ts';
import type { EvalHeader, TaskSummary, Variant } from '../../eval/results.ts';
import type { TranscriptEntry, TranscriptHeader } from '../../transcript/transcript.ts';

export interface RunList {
  /** Where runs are recorded; absent where they are not. */
  readonly folder?: string;
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  /** How many older ones there are. */
  readonly older: number;
}

export type RunSummary = {
  /** The file's name. */
  readonly id: string;
  /** In bytes. */
  readonly size: number;
} & (
  | {
      /** ISO 8601. */
      readonly startedAt: string;
      readonly model: string;
      readonly format: string;
      /** The first one; absent where none was asked. */
      readonly question?: string;
    }
  /** Why it is no transcript. */
  | { readonly problem: string }
);

/** A transcript as its file has it: prompts as what they add to the last one of their lane. `line` is its place in the file. */
export interface RecordedRuns {
  readonly header: TranscriptHeader;
  readonly entries: readonly (TranscriptEntry & { readonly line: number })[];
  /** The line in whose middle the file ends. */
  readonly cut?: number;
}

export interface ReplayOrder {
  /** Another format than the recorded one, to see what it changes. */
  readonly format?: string;
}

export interface Replayed {
  /** Up to the first one that goes another way. */
  readonly runs: readonly ReplayedRun[];
}

export interface ReplayedRun {
  /** From 1. */
  readonly run: number;
  readonly question: string;
  readonly turns: number;
  readonly same: boolean;
  /** False where whoever recorded it was ended. */
  readonly finished: boolean;
  /** Where it goes another way: a turn from 1, a line of the file, and what changed in words. */
  readonly difference?: { readonly turn: number; readonly line?: number; readonly text: string };
}

export interface GivenFile {
  readonly name: string;
  readonly text: string;
}

export type GivenReplay = GivenFile & ReplayOrder;

export type ReadFile =
  | { readonly kind: 'transcript'; readonly runs: RecordedRuns }
  | { readonly kind: 'eval'; readonly report: EvalReport };

export interface EvalList {
  readonly folder: string;
  readonly evals: readonly EvalSummary[];
}

export type EvalSummary = { readonly id: string; readonly size: number } & (
  | {
      readonly set: string;
      /** ISO 8601. */
      readonly started: string;
      readonly variants: number;
      readonly tasks: number;
      readonly samples: number;
    }
  | { readonly problem: string }
);

export interface EvalReport {
  readonly set: string;
  readonly seed?: number;
  readonly settings?: EvalHeader['settings'];
  readonly started?: string;
  /** Those of which something was counted, in the order in which tables have them. */
  readonly rates: readonly RateColumn[];
  readonly variants: readonly ReportVariant[];
  readonly tasks: readonly ReportTask[];
}

export interface RateColumn {
  readonly name: RateName;
  readonly title: string;
  /** Of what it is a share, for people. */
  readonly of: string;
  readonly better: 'higher' | 'lower';
}

export interface ReportVariant extends Omit<Variant, 'id'> {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  readonly label: string;
  /** Samples that were to be taken and are not there. */
  readonly missing: number;
  /** Why it could not be asked (any more). */
  readonly failed?: string;
  readonly metrics: Metrics;
}

export interface ReportTask extends TaskSummary {
  readonly asked: readonly {
    /** A variant's number. */
    readonly variant: number;
    readonly samples: number;
    readonly right: number;
    /** Empty in a report that keeps no samples. */
    readonly failed: readonly FailedSample[];
  }[];
}

export interface FailedSample {
  /** Its place in the results file, from 0. */
  readonly number: number;
  /** Of its task, from 1. */
  readonly sample: number;
  readonly seed: number;
  readonly why: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly argumentsText: string;
    readonly problem?: string;
  }[];
  readonly answer: string;
  readonly recorded: boolean;
}
