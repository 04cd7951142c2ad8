/** A process of its own that calls the one tool of a protected server, with the login that is kept for it. */
import { openHost } from '../../../src/mcp/host.ts';

const host = openHost([{ name: 'protected', url: process.argv[2] ?? '', headers: {} }]);
await host.ready;
const { content } = await host.call('greet', {});
await host.close();
process.stdout.write(content);
