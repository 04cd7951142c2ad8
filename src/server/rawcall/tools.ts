/** `GET /v1/rawcall/tools`: the tools that the server itself offers, for clients that have to run their calls. */
import type { Hono } from 'hono';
import type { Exchange } from '../exchange.ts';

export function addTools(app: Hono, exchange: Exchange): void {
  app.get('/v1/rawcall/tools', context => {
    const { tools } = exchange.loaded();
    return context.json({
      object: 'list',
      run_here: tools?.runs !== undefined,
      data: (tools?.all ?? []).map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
        ...tools?.origin(name),
      })),
    });
  });
}
