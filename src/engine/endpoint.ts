/** Servers elsewhere that speak OpenAI's API, one or several of the same model: what the engine and the chat model over them share. */
import { type Client, type ClientOptions, createClient } from './endpoint/client.ts';
import { type EndpointInfo, endpointInfo } from './endpoint/endpoint-info.ts';

export interface EndpointOptions extends ClientOptions {
  /** The model to ask for. Default: the first that the server lists. */
  readonly model?: string;
}

export interface Endpoint {
  readonly client: Client;
  readonly info: EndpointInfo;
}

/** @throws RawcallError `bad_endpoint`, `endpoint_failed` */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const client = createClient(options);
  return { client, info: await endpointInfo(client, options.model) };
}
