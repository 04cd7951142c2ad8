/** What a task file says, beside what the servers have: names that are there, and the same name for the same tool everywhere. */
import { RawcallError } from '../../parsers/error.ts';
import { isFields } from '../../templates/check.ts';
import type { Message } from '../../templates/template.ts';
import { nearest } from '../nearest.ts';
import type { ExpectedCall } from './results.ts';
import type { BadTask, Task, TaskSet } from './task.ts';
import type { TaskTools } from './task-tools.ts';
import type { ToolPool } from './tool-pool.ts';

/** @throws RawcallError `mcp_server_failed`: a set whose servers are not all there asks something else than it says */
export async function checkTasks(
  { tasks: given, bad: known }: Pick<TaskSet, 'tasks' | 'bad'>,
  pool: ToolPool,
): Promise<{ readonly tasks: readonly Task[]; readonly bad: readonly BadTask[] }> {
  const tasks: Task[] = [];
  const bad: BadTask[] = [...known];
  for (const task of given) {
    const tools = await pool.take(task);
    try {
      for (const { name, state, reason = 'it did not start' } of tools.host.servers)
        if (state === 'failed' || state === 'starting')
          throw new RawcallError('mcp_server_failed', `The server "${name}": ${reason}`, { name });
      const problem = problemOf(task, tools);
      if (problem === undefined) tasks.push(named(task, tools));
      else bad.push({ id: task.id, message: problem });
    } finally {
      await pool.giveBack(tools, false);
    }
  }
  return { tasks, bad };
}

function problemOf({ expected, stubs, place }: Task, tools: TaskTools): string | undefined {
  const several = expected.calls.length > 1;
  for (const [at, { tool, arguments: args = {} }] of expected.calls.entries()) {
    const found = tools.find(tool);
    // A single call may stand in either place; a place that isn't there is the task's own.
    const base = several ? ['expected_calls', at] : [];
    if (!found) {
      const names = tools.host.tools.map(({ name }) => tools.nameOf(name));
      const meant = nearest(tool, names);
      const where = several ? place(...base, 'tool') : place('expected_tool');
      return `${where}: there is no tool "${tool}"${stubs ? ' among the tools of this task' : ''}${meant ? `; is it ${meant}?` : `. There are: ${names.join(', ') || 'none'}.`}`;
    }
    const schema = isFields(found.inputSchema) ? found.inputSchema : {};
    if (!isFields(schema.properties) || (schema.additionalProperties ?? false) !== false) continue;
    const properties = Object.keys(schema.properties);
    const strange = Object.keys(args).find(name => !properties.includes(name));
    if (strange === undefined) continue;
    const meant = nearest(strange, properties);
    return `${place(...base, 'arguments', strange)}: ${tool} has no such argument${meant ? `; is it ${meant}?` : `. It has: ${properties.join(', ') || 'none'}.`}`;
  }
  return undefined;
}

function named(task: Task, tools: TaskTools): Task {
  const calls = task.expected.calls.map((call): ExpectedCall => {
    const found = tools.find(call.tool);
    return found ? { ...call, tool: tools.nameOf(found.name) } : call;
  });
  const shown = (name: string) => tools.find(name)?.name ?? name;
  const earlier = task.earlier.map((message): Message => {
    if (message.role === 'tool') return { ...message, name: shown(message.name) };
    if (message.role !== 'assistant' || !message.toolCalls) return message;
    return { ...message, toolCalls: message.toolCalls.map(call => ({ ...call, name: shown(call.name) })) };
  });
  return { ...task, earlier, expected: { ...task.expected, calls } };
}
