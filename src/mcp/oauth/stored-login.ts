/** What is kept of a login, as JSON: in the system keyring or in a file. */
import { OAuthClientInformationSchema, OAuthTokensSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';

const version = 1;

/** A client that was registered with the authorization server by rawcall; one of the config is not kept. */
const clientSchema = OAuthClientInformationSchema.extend({
  token_endpoint_auth_method: z.string().optional(),
  redirect_uris: z.array(z.string()).optional(),
});

const schema = z.object({
  version: z.literal(version),
  /** The address of the MCP server. */
  server: z.string(),
  authorizationServer: z.string(),
  resourceMetadata: z.string().optional(),
  // What else came with the tokens (an id token) is of no use here and need not lie about.
  tokens: OAuthTokensSchema.omit({ id_token: true }),
  client: clientSchema.optional(),
});

export type Login = Omit<z.infer<typeof schema>, 'version'>;

export function loginText(login: Login): string {
  return JSON.stringify(schema.parse({ version, ...login }));
}

/** A text says what is wrong with it. */
export function readLogin(text: string, server: string): Login | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's message would quote a piece of a token.
    return 'it is no JSON';
  }
  const { data, error } = schema.safeParse(json);
  if (error) return `it is not in the form of this version of rawcall (${error.issues[0]?.path.join('.')})`;
  if (data.server !== server) return 'it belongs to a server of another address';
  const { version: _known, ...login } = data;
  return login;
}
