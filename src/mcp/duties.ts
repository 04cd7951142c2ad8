/** What a server may ask of us and tell us unasked, wired to the client. Only what there is a duty for is declared. */
import { type ClientCapabilities, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Fields, isFields } from '../../templates/check.ts';
import type { ConnectionEvents } from './connection.ts';
import type { ElicitationAnswer, ElicitationRequest, HostDuties, SamplingRequest } from './features.ts';
import { type LogLevel, logLevels } from './log-levels.ts';
import type { Patience } from './patience.ts';
import { messageOf, type RawClient } from './requests.ts';
import { readMessage } from './server-features.ts';

export function capabilitiesOf({ roots, sample, elicit }: HostDuties): ClientCapabilities {
  return {
    ...(roots ? { roots: { listChanged: true } } : {}),
    ...(sample ? { sampling: {} } : {}),
    ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
  };
}

// Loose, so that no key of a request is lost; the client checks requests against the SDK's own schemas besides.
const params = z.looseObject({}).optional();
const listRoots = z.object({ method: z.literal('roots/list'), params });
const createMessage = z.object({ method: z.literal('sampling/createMessage'), params });
const elicitation = z.object({ method: z.literal('elicitation/create'), params });
const loggingMessage = z.object({ method: z.literal('notifications/message'), params });
const resourceUpdated = z.object({ method: z.literal('notifications/resources/updated'), params });

export function listen(
  client: RawClient,
  server: string,
  events: ConnectionEvents,
  { during }: Pick<Patience, 'during'>,
): void {
  const { duties = {}, onLog, onResourceUpdated } = events;
  const { roots, sample, elicit } = duties;
  if (roots) client.setRequestHandler(listRoots, () => ({ roots: [...roots()] }));
  if (sample)
    client.setRequestHandler(createMessage, async ({ params = {} }, { signal }) => {
      if (params.tools !== undefined || params.toolChoice !== undefined)
        throw refusal(ErrorCode.InvalidParams, 'rawcall offers no tools to a model that a server asks.');
      const { text, ...answer } = await during(sample(samplingRequest(server, params), signal)).catch(
        error => {
          throw refusal(refused, messageOf(error));
        },
      );
      return { role: 'assistant', content: { type: 'text', text }, ...answer };
    });
  if (elicit)
    client.setRequestHandler(elicitation, async ({ params = {} }, { signal }) =>
      elicitationResult(await during(elicit(elicitationRequest(server, params), signal))),
    );
  if (onLog)
    client.setNotificationHandler(loggingMessage, ({ params = {} }) => {
      const { level, logger, data } = params;
      onLog({
        server,
        level: isLogLevel(level) ? level : 'info',
        ...(typeof logger === 'string' ? { logger } : {}),
        text: typeof data === 'string' ? data : (JSON.stringify(data) ?? ''),
      });
    });
  if (onResourceUpdated)
    client.setNotificationHandler(resourceUpdated, ({ params = {} }) => {
      if (typeof params.uri === 'string') onResourceUpdated(params.uri);
    });
}

function samplingRequest(server: string, params: Fields): SamplingRequest {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences } = params;
  return {
    server,
    ...(typeof systemPrompt === 'string' ? { system: systemPrompt } : {}),
    messages: (Array.isArray(messages) ? messages : []).filter(isFields).map(readMessage),
    maxTokens: Number(maxTokens),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(Array.isArray(stopSequences) ? { stopSequences } : {}),
  };
}

/** What the protocol has for a request that the user refused. */
const refused = -1;

/** The SDK takes the code of an error that has one. */
function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function elicitationRequest(
  server: string,
  { mode, message, url, requestedSchema }: Fields,
): ElicitationRequest {
  const asked = { server, message: String(message) };
  return mode === 'url'
    ? { ...asked, mode, url: String(url) }
    : { ...asked, mode: 'form', schema: isFields(requestedSchema) ? requestedSchema : {} };
}

/** The reason of a refusal stays here: the protocol has no place for it. */
function elicitationResult(answer: ElicitationAnswer) {
  const { action } = answer;
  return action === 'accept' && answer.content ? { action, content: answer.content } : { action };
}

const isLogLevel = (level: unknown): level is LogLevel => logLevels.some(one => one === level);
