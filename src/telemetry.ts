/**
 * Spans of runs by OpenTelemetry's conventions for generative AI: `invoke_agent` over `chat` and `execute_tool`. Only the API is
 * used: whoever wants the spans brings an SDK.
 */
import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { RawcallError } from '../parsers/error.ts';
import type { Agent, AgentOptions } from './agent/agent.ts';
import type { AgentEvent } from './agent/events.ts';
import type { ToolSource } from './tools.ts';

export interface TelemetryOptions extends Pick<AgentOptions, 'sampling' | 'maxTokens'> {
  /** What the model is called. */
  readonly model: string;
  /** `gen_ai.provider.name`. Default `rawcall`. */
  readonly provider?: string;
  /** `gen_ai.agent.name`. Default `rawcall`. */
  readonly agentName?: string;
  /** `gen_ai.conversation.id`. */
  readonly conversation?: string;
  /** For what tools do. */
  readonly tools?: Pick<ToolSource, 'tools'>;
  /** Whether questions, answers, arguments and results are in the spans. Default: false, for they may be private. */
  readonly content?: boolean;
  /** Default: `rawcall` of the tracer provider that is registered. */
  readonly tracer?: Tracer;
}

/** The same agent; each of its runs is a span, a child of the one that is active when it begins. */
export function tracedAgent(agent: Agent, options: TelemetryOptions): Agent {
  return {
    get messages() {
      return agent.messages;
    },
    async *run(question, given) {
      const spans = runSpans(question, options);
      const events = agent.run(question, given);
      try {
        for (;;) {
          const step = await events.next();
          if (step.done) return step.value;
          spans.event(step.value);
          yield step.value;
        }
      } catch (error) {
        spans.failed(error);
        throw error;
      } finally {
        spans.end();
        await events.return(undefined as never);
      }
    },
    bill: () => agent.bill(),
    reset: system => agent.reset(system),
  };
}

interface RunSpans {
  event(event: AgentEvent): void;
  failed(error: unknown): void;
  end(): void;
}

function runSpans(question: string, options: TelemetryOptions): RunSpans {
  const { model, agentName = 'rawcall', conversation, content = false } = options;
  const tracer = options.tracer ?? trace.getTracer('rawcall');
  const about = attributesOf(options);
  const run = tracer.startSpan(`invoke_agent ${agentName}`, {
    kind: SpanKind.INTERNAL,
    attributes: {
      ...about,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agentName,
      ...(conversation === undefined ? {} : { 'gen_ai.conversation.id': conversation }),
      ...(content ? { 'gen_ai.input.messages': message('user', question) } : {}),
    },
  });
  const within = trace.setSpan(context.active(), run);
  let chat: Span | undefined;
  let called = false;
  const usage = { input: 0, reused: 0, output: 0 };
  const turn = { input: 0, reused: 0, output: 0 };
  const tools = new Map<string, Span>();

  function endChat(): void {
    if (!chat) return;
    chat.setAttributes(usageAttributes(turn));
    chat.end();
    chat = undefined;
  }

  function startTool({ call }: AgentEvent & { type: 'tool-start' }): void {
    const description = options.tools?.tools.find(({ name }) => name === call.name)?.description;
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.type': 'function',
      ...(description === undefined ? {} : { 'gen_ai.tool.description': description }),
      ...(content ? { 'gen_ai.tool.call.arguments': call.argumentsText } : {}),
    };
    const span = tracer.startSpan(
      `execute_tool ${call.name}`,
      { kind: SpanKind.INTERNAL, attributes },
      within,
    );
    tools.set(call.id, span);
  }

  function endTool({ call, result }: AgentEvent & { type: 'tool-end' }): void {
    const span = tools.get(call.id);
    tools.delete(call.id);
    if (content) span?.setAttribute('gen_ai.tool.call.result', result.content);
    if (span && result.isError) fail(span, 'tool_error', content ? result.content : undefined);
    span?.end();
  }

  return {
    event(event) {
      switch (event.type) {
        case 'turn-start':
          endChat();
          called = false;
          Object.assign(turn, { input: 0, reused: 0, output: 0 });
          chat = tracer.startSpan(
            `chat ${model}`,
            { kind: SpanKind.INTERNAL, attributes: { ...about, 'gen_ai.operation.name': 'chat' } },
            within,
          );
          break;
        case 'call-end':
          called = true;
          break;
        case 'completion-end':
          chat?.setAttributes({
            'gen_ai.response.model': model,
            'gen_ai.response.finish_reasons': [
              called && event.reason === 'stop' ? 'tool_call' : event.reason,
            ],
            ...(content
              ? {
                  'gen_ai.output.messages': message(
                    'assistant',
                    event.pieces.map(({ text }) => text).join(''),
                  ),
                }
              : {}),
          });
          break;
        case 'usage':
          // A call that went on is a second generation of the turn: its prompt holds the first one's.
          turn.input = event.prompt;
          turn.reused = event.reused;
          turn.output += event.generated;
          usage.input += event.prompt;
          usage.reused += event.reused;
          usage.output += event.generated;
          break;
        case 'tool-start':
          endChat();
          startTool(event);
          break;
        case 'tool-end':
          endTool(event);
          break;
        case 'run-end':
          endChat();
          run.setAttribute('gen_ai.response.finish_reasons', [event.reason]);
          if (content) run.setAttribute('gen_ai.output.messages', message('assistant', event.answer));
          break;
        default:
      }
    },
    failed(error) {
      const code = RawcallError.isInstance(error) ? error.code : 'unexpected';
      const words = error instanceof Error ? error.message : String(error);
      for (const span of [chat, run]) if (span) fail(span, code, words);
    },
    end() {
      endChat();
      for (const span of tools.values()) span.end();
      run.setAttributes(usageAttributes(usage));
      run.end();
    },
  };
}

function attributesOf({
  model,
  provider = 'rawcall',
  sampling = {},
  maxTokens,
}: TelemetryOptions): Attributes {
  const { temperature, topP, topK, seed } = sampling;
  return {
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(topP === undefined ? {} : { 'gen_ai.request.top_p': topP }),
    ...(topK === undefined ? {} : { 'gen_ai.request.top_k': topK }),
    ...(seed === undefined ? {} : { 'gen_ai.request.seed': seed }),
    ...(maxTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxTokens }),
  };
}

function usageAttributes({
  input,
  reused,
  output,
}: Record<'input' | 'reused' | 'output', number>): Attributes {
  return {
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.cache_read.input_tokens': reused,
    'gen_ai.usage.output_tokens': output,
  };
}

function fail(span: Span, type: string, words: string | undefined): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(words === undefined ? {} : { message: words }) });
}

const message = (role: string, text: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);
