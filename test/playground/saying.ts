/** A playground whose model, at an endpoint, says what a test would have it say; and the tools of a real server for it to call. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../cli/rawcall.ts';
import {
  type Answer,
  completion,
  models,
  type ScriptedServer,
  scriptedServer,
} from '../engine/endpoint/scripted-server.ts';
import type { Opened } from '../html/browser.ts';
import { startPlayground } from './browser.ts';

export interface Saying extends Opened {
  readonly endpoint: ScriptedServer;
}

export async function saying(answers: readonly Answer[], args: readonly string[] = []): Promise<Saying> {
  const endpoint = await scriptedServer({ '/v1/models': models(), '/v1/completions': answers });
  const { url } = endpoint;
  const policy = ['--answer-turn', 'with-schema', '--rounds', 'until-done'];
  const playground = await startPlayground(['--endpoint', url, '--format', 'qwen', ...policy, ...args]);
  return { ...(await playground.open()), endpoint };
}

const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

/** One of that server's tools, whose calls run unasked. */
export function withTool(tool: string): string[] {
  const config = path.join(temporaryFolder(), 'mcp.json');
  const entry = { command: process.execPath, args: [everything], tools: { allow: [tool] } };
  writeFileSync(config, JSON.stringify({ mcpServers: { every: entry } }));
  return [
    '--mcp-config',
    config,
    '--approve',
    `${tool.replaceAll('-', '_')}=auto`,
    '--approve',
    `${tool}=auto`,
  ];
}

export const callText = (name: string, args: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

export const calling = (name: string, args: object) => completion([callText(name, args)]);
