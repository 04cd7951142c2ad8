/** The spans of a run, as an SDK collects them. */
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { type TelemetryOptions, tracedAgent } from '../../src/telemetry.ts';
import { call, scripted, scriptedTools } from '../agent/harness.ts';

const tools = () =>
  scriptedTools({ get_weather: () => 'Sunny.', get_time: () => ({ content: 'No clock.', isError: true }) });

async function spansOf(completions: readonly string[], more: Partial<TelemetryOptions> = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const source = tools();
  const { agent } = scripted(completions, source);
  const traced = tracedAgent(agent, {
    model: 'tiny',
    sampling: { temperature: 0, seed: 7 },
    maxTokens: 64,
    tools: source,
    tracer: provider.getTracer('test'),
    ...more,
  });
  let failure: unknown;
  try {
    for await (const _ of traced.run('The weather in Paris?'));
  } catch (error) {
    failure = error;
  }
  return { spans: exporter.getFinishedSpans(), failure };
}

const weather = call('get_weather', { city: 'Paris' });

test('a run is invoke_agent over chat and execute_tool, in the order in which they ended', async () => {
  const { spans } = await spansOf([weather, 'It is sunny.']);
  expect(spans.map(({ name }) => name)).toEqual([
    'chat tiny',
    'execute_tool get_weather',
    'chat tiny',
    'invoke_agent rawcall',
  ]);
  const run = spans.at(-1)!;
  expect(spans.slice(0, -1).map(span => span.parentSpanContext?.spanId)).toEqual(
    Array(3).fill(run.spanContext().spanId),
  );
  const [chat, tool] = spans;
  expect(chat!.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'rawcall',
    'gen_ai.request.model': 'tiny',
    'gen_ai.response.model': 'tiny',
    'gen_ai.request.temperature': 0,
    'gen_ai.request.seed': 7,
    'gen_ai.request.max_tokens': 64,
    'gen_ai.response.finish_reasons': ['tool_call'],
    'gen_ai.usage.input_tokens': 0,
    'gen_ai.usage.cache_read.input_tokens': 0,
    'gen_ai.usage.output_tokens': 1,
  });
  expect(tool!.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'get_weather',
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.description': 'The weather of a city.',
  });
  expect(run.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.usage.output_tokens': 2,
    'gen_ai.response.finish_reasons': ['answered'],
  });
});

test('what was said is in the spans only where it is asked for', async () => {
  const silent = await spansOf([weather, 'It is sunny.']);
  expect(JSON.stringify(silent.spans.map(({ attributes }) => attributes))).not.toMatch(/Paris|[Ss]unny/);
  const { spans } = await spansOf([weather, 'It is sunny.'], { content: true });
  expect(spans[1]!.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"city":"Paris"}',
    'gen_ai.tool.call.result': 'Sunny.',
  });
  expect(spans.at(-1)!.attributes['gen_ai.output.messages']).toBe(
    '[{"role":"assistant","parts":[{"type":"text","content":"It is sunny."}]}]',
  );
});

test('an error of a tool is its span’s, one of the run ends all that is open', async () => {
  const { spans } = await spansOf([call('get_time', {}), 'There is no clock.']);
  expect(spans.find(({ name }) => name === 'execute_tool get_time')).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'tool_error' },
  });
  const broken = await spansOf([weather]);
  expect(broken.failure).toMatchObject({ code: 'recording_ended' });
  expect(broken.spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['chat tiny', undefined],
    ['execute_tool get_weather', undefined],
    ['chat tiny', 'recording_ended'],
    ['invoke_agent rawcall', 'recording_ended'],
  ]);
});
