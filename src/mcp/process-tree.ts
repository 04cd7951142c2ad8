/**
 * Ends a child process and everything that it started. A child is the leader of its own process group, so one signal reaches its
 * children too (npx starts node, which starts the server); and no server outlives this process, however this process ends,
 * but for a SIGKILL, where the closed pipes tell them.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const windows = process.platform === 'win32';

/** Options for `spawn` that make a child the leader of a group. */
export const ownGroup = { detached: !windows, windowsHide: true } as const;

/** Milliseconds that a server has to end after its stdin was closed, and then after SIGTERM. */
const graceful = 400;
const terminating = 1500;

const leaders = new Set<number>();

/** From now on the child's group is ended with this process. */
export function watch(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (leaders.size === 0) {
    process.on('exit', killAll);
    for (const signal of signals) process.on(signal, onSignal);
  }
  leaders.add(child.pid);
}

/** Closes its stdin, then asks, then kills. Resolves when nothing of the group is left. */
export async function endTree(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || !leaders.has(pid)) return;
  child.stdin?.end();
  if (!(await gone(pid, graceful))) {
    signalGroup(pid, 'SIGTERM');
    if (!(await gone(pid, terminating))) {
      signalGroup(pid, 'SIGKILL');
      await gone(pid, terminating);
    }
  }
  forget(pid);
}

/** For a leader that has ended by itself: what it left behind is killed. */
export function endOrphans(child: ChildProcess): void {
  if (child.pid === undefined || !leaders.has(child.pid)) return;
  signalGroup(child.pid, 'SIGKILL');
  forget(child.pid);
}

function forget(pid: number): void {
  leaders.delete(pid);
  if (leaders.size > 0) return;
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, onSignal);
}

function killAll(): void {
  for (const pid of leaders) signalGroup(pid, 'SIGKILL');
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A group of its own does not get the terminal's Ctrl-C. Somebody else who listens decides what the signal means (a first Ctrl-C
 * cancels a turn and leaves the servers running), and `exit` comes in the end; where nobody does, the signal ends this process as
 * it would have without us.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1 + bystanders()) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

/**
 * The listeners of signal-exit (proper-lockfile and ora bring it along), which wait for being alone as we do: taken for somebody
 * who decides, they and we would wait for each other, and no signal would end this process.
 */
function bystanders(): number {
  const { __signal_exit_emitter__: third, [Symbol.for('signal-exit emitter')]: fourth } =
    process as unknown as Record<string | symbol, { readonly count?: number } | undefined>;
  return (third?.count ?? 0) + (fourth?.count ?? 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (windows) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

async function gone(pid: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; ; waited += 20) {
    // Its leader has ended, and the rest with it.
    if (!leaders.has(pid)) return true;
    try {
      process.kill(windows ? pid : -pid, 0);
    } catch {
      return true;
    }
    if (waited >= milliseconds) return false;
    await sleep(20);
  }
}
