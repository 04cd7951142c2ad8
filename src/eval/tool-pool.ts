/** Servers for samples that are taken side by side: each sample has its own, and none that an earlier one left traces on. */
import type { HostOptions } from '../mcp/host.ts';
import type { McpServer } from '../mcp/servers.ts';
import type { Stub, Task } from './task.ts';
import { openTaskTools, type TaskTools } from './task-tools.ts';

export interface ToolPool {
  take(task: Pick<Task, 'stubs'>): Promise<TaskTools>;
  /** `used`: it is not to be lent again. */
  giveBack(tools: TaskTools, used: boolean): Promise<void>;
  close(): Promise<void>;
}

export function openToolPool(
  servers: readonly McpServer[],
  stubs: readonly Stub[],
  options: HostOptions = {},
): ToolPool {
  const idle: TaskTools[] = [];
  const lent = new Map<TaskTools, 'shared' | 'own'>();
  return {
    async take({ stubs: own }) {
      const tools = own
        ? await openTaskTools([], own, options)
        : (idle.pop() ?? (await openTaskTools(servers, stubs, options)));
      lent.set(tools, own ? 'own' : 'shared');
      return tools;
    },
    async giveBack(tools, used) {
      const shared = lent.get(tools) === 'shared';
      lent.delete(tools);
      if (shared && !used) idle.push(tools);
      else await tools.host.close();
    },
    async close() {
      await Promise.all([...idle.splice(0), ...lent.keys()].map(({ host }) => host.close()));
    },
  };
}
