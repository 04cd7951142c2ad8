/** Reads a task file: what is wrong with the file is thrown, what is wrong with a task leaves that one out. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { parseMessages } from '../../templates/messages.ts';
import type { Message } from '../../templates/template.ts';
import { isModelName } from '../catalog/find.ts';
import { isAddress } from '../catalog/source.ts';
import { checkShape, type Fault } from '../check-shape.ts';
import { parseMcpConfig } from '../mcp/config.ts';
import type { McpServer } from '../mcp/servers.ts';
import { type Path, readYaml, type YamlFile } from '../yaml-file.ts';
import type { Expected } from './results.ts';
import { readStubs } from './stub-tools.ts';
import type { BadTask, MatrixLists, ModelEntry, Task, TaskSet, TaskSettings } from './task.ts';
import { fileSchema, keys, type RawFile, type RawTask, taskSchema } from './task-schema.ts';

/** @throws RawcallError `bad_tasks`, with `FILE:LINE` and the key */
export async function readTaskFile(file: string): Promise<TaskSet> {
  const yaml = await readYaml(file, (...about) => new RawcallError('bad_tasks', ...about));
  const checked = checkShape(fileSchema, yaml.value, keys);
  if ('faults' in checked) throw refusal(yaml, checked.faults);
  const raw = checked.value;
  const stubs = within(yaml, [], () => readStubs(raw.tools ?? [], 'tools'));
  const tasks: Task[] = [];
  const bad: BadTask[] = [];
  for (const [at, one] of raw.tasks.entries()) {
    const id = idOf(one, at);
    try {
      const task = readTask(yaml, one, at, raw.system);
      if (tasks.some(other => other.id === task.id))
        throw refusal(yaml, [{ path: ['tasks', at, 'id'], message: `another task is called ${id} already` }]);
      tasks.push(task);
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      bad.push({ id, message: error.message });
    }
  }
  return {
    name: path.basename(file).replace(/\.(?:ya?ml|json)$/i, ''),
    file,
    hash: yaml.hash,
    servers: serversOf(yaml, file, raw.servers ?? {}),
    stubs,
    matrix: matrixOf(raw, path.dirname(file)),
    settings: settingsOf(raw),
    matching: raw.matching ?? 'matchers',
    tasks,
    bad,
  };
}

function readTask(yaml: YamlFile, given: unknown, at: number, system: string | undefined): Task {
  const base = ['tasks', at];
  const checked = checkShape(taskSchema, given, keys);
  if ('faults' in checked)
    throw refusal(
      yaml,
      checked.faults.map(({ path, message }) => ({ path: [...base, ...path], message })),
    );
  const raw = checked.value;
  const { tags = [], query, dialogue, tools } = raw;
  const own = raw.system ?? system;
  const opening: Message[] = own === undefined ? [] : [{ role: 'system', content: own }];
  const messages = dialogue ? within(yaml, base, () => parseMessages(dialogue, 'dialogue')) : [];
  const last = messages.at(-1);
  if (last && last.role !== 'user')
    throw refusal(yaml, [
      {
        path: [...base, 'dialogue', messages.length - 1],
        message: "the last message must be the user's: it is the question",
      },
    ]);
  const begins = messages[0]?.role === 'system';
  return {
    id: idOf(given, at),
    tags,
    earlier: [...(begins ? [] : opening), ...messages.slice(0, -1)],
    query: query ?? last?.content ?? '',
    expected: expectedOf(raw),
    ...(tools ? { stubs: within(yaml, base, () => readStubs(tools, 'tools')) } : {}),
    place: (...inner) => yaml.place([...base, ...inner]),
  };
}

function expectedOf(raw: RawTask): Expected {
  const { expected_tool: tool, expected_calls: calls, answer_holds: answerHolds = [] } = raw;
  const one = tool === undefined ? [] : [{ tool, ...(raw.arguments ? { arguments: raw.arguments } : {}) }];
  const several = calls?.map(call => ({
    tool: call.tool,
    ...(call.arguments ? { arguments: call.arguments } : {}),
  }));
  const expected = several ?? one;
  return { call: raw.should_call_tool ?? expected.length > 0, calls: expected, answerHolds };
}

/** Its own, or the place that it has in the file, from 1. */
function idOf(task: unknown, at: number): string {
  const id = typeof task === 'object' && task !== null && 'id' in task ? task.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : String(at + 1);
}

function matrixOf(raw: RawFile, folder: string): MatrixLists {
  const { formats, policies, constrain, schema_forms: schemaForms } = raw;
  const models = raw.models?.map((one): ModelEntry => {
    if ('path' in one) return { path: modelOf(one.path, folder) };
    const { endpoints, name, api } = one;
    return { endpoints, ...definedOnly({ name, api }) };
  });
  return definedOnly({ models, formats, policies, constrain, schemaForms });
}

/** As `--model` is read, but from the folder of the file: what is there under that path is meant before a name is. */
function modelOf(text: string, folder: string): string {
  const file = path.resolve(folder, text);
  return isAddress(text) || (isModelName(text) && !existsSync(file)) ? text : file;
}

function settingsOf(raw: RawFile): TaskSettings {
  const { system, samples, seed, temperature, max_tokens: maxTokens, max_rounds: maxRounds } = raw;
  return definedOnly({ system, samples, seed, temperature, maxTokens, maxRounds });
}

/** Without the keys that have no value. */
function definedOnly<Given extends object>(
  given: Given,
): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [Key in keyof Given]?: Exclude<Given[Key], undefined> };
}

/** What is wrong with one of them is told when it fails to start, with its line in this file. */
function serversOf(yaml: YamlFile, file: string, servers: Readonly<Record<string, unknown>>): McpServer[] {
  return Object.entries(servers).flatMap(([name, entry]) =>
    parseMcpConfig(JSON.stringify({ mcpServers: { [name]: entry } }), file).map(server => {
      if (!('unusable' in server)) return server;
      const place = yaml.place(['servers', name]);
      return { ...server, reason: server.reason.replace(/^.*?:\d+:\d+:/, `${place}:`) };
    }),
  );
}

/** What a reader of JSON says about a place in it, with the line of the file. */
function within<Result>(yaml: YamlFile, base: Path, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    const where = String(error.details.where ?? '').replace(/ .*$/, '');
    const parts = where.split(/[.[\]]+/).filter(part => part !== '');
    const inner = parts.map(part => (/^\d+$/.test(part) ? Number(part) : part));
    throw refusal(yaml, [{ path: [...base, ...inner], message: error.message }]);
  }
}

function refusal(yaml: YamlFile, faults: readonly Fault[]): RawcallError {
  const lines = faults.map(({ path, message }) =>
    `${yaml.place(path)}: ${message}.`.replace(/([.?])\.$/, '$1'),
  );
  return new RawcallError('bad_tasks', lines.join('\n'), { faults });
}
