/** What the server has done so far, as Prometheus reads it. */
import type { Usage } from '../engine/engine.ts';

export interface Metrics {
  request(endpoint: string, status: number, seconds: number): void;
  /** From the request to the first token, the wait for a place and the prompt's evaluation included. */
  firstToken(seconds: number): void;
  usage(usage: Usage): void;
  /** @param now what is so at the moment */
  text(now: { readonly running: number; readonly waiting: number }): string;
}

/** In seconds: from an answer out of the cache to a long prompt on a slow machine. */
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export function openMetrics(): Metrics {
  const requests = new Map<string, number>();
  const durations = new Map<string, Histogram>();
  const firstTokens = openHistogram();
  let [prompt, cached, generated] = [0, 0, 0];

  return {
    request(endpoint, status, seconds) {
      const labels = `endpoint="${endpoint}",status="${status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      const own = durations.get(endpoint) ?? openHistogram();
      durations.set(endpoint, own);
      own.add(seconds);
    },
    firstToken: firstTokens.add,
    usage(usage) {
      prompt += usage.prompt;
      cached += usage.reused;
      generated += usage.generated;
    },
    text: ({ running, waiting }) =>
      [
        family('requests_total', 'counter', 'Requests that were answered.', [
          ...[...requests].map(([labels, count]) => `{${labels}} ${count}`),
        ]),
        family('requests_running', 'gauge', 'Requests that the model is at.', [` ${running}`]),
        family('requests_waiting', 'gauge', 'Requests that wait for the model.', [` ${waiting}`]),
        family('prompt_tokens_total', 'counter', 'Tokens of all prompts.', [` ${prompt}`]),
        family('cached_tokens_total', 'counter', 'Tokens of prompts that were found in the KV cache.', [
          ` ${cached}`,
        ]),
        family('generated_tokens_total', 'counter', 'Tokens that were generated.', [` ${generated}`]),
        family(
          'time_to_first_token_seconds',
          'histogram',
          'From a request to its first token.',
          firstTokens.lines(),
        ),
        family(
          'request_duration_seconds',
          'histogram',
          'From a request to the end of its answer.',
          [...durations].flatMap(([endpoint, histogram]) => histogram.lines(`endpoint="${endpoint}"`)),
        ),
      ].join(''),
  };
}

function family(name: string, type: string, help: string, lines: readonly string[]): string {
  const full = `rawcall_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...lines.map(line => `${full}${line}`),
    '',
  ].join('\n');
}

interface Histogram {
  add(seconds: number): void;
  /** What stands behind the name in each line. */
  lines(labels?: string): string[];
}

function openHistogram(): Histogram {
  const counts = bounds.map(() => 0);
  let [sum, count] = [0, 0];
  return {
    add(seconds) {
      sum += seconds;
      count++;
      bounds.forEach((bound, index) => {
        if (seconds <= bound) counts[index]!++;
      });
    },
    lines(labels) {
      const within = labels === undefined ? '' : `${labels},`;
      const alone = labels === undefined ? '' : `{${labels}}`;
      return [
        ...bounds.map((bound, index) => `_bucket{${within}le="${bound}"} ${counts[index]}`),
        `_bucket{${within}le="+Inf"} ${count}`,
        `_sum${alone} ${sum}`,
        `_count${alone} ${count}`,
      ];
    },
  };
}
