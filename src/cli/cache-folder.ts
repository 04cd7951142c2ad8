/** Where saved states lie: the place that the system has for what may be deleted at any time. */
import { homedir } from 'node:os';
import path from 'node:path';

/** The environment variable that names another folder. */
const override = 'RAWCALL_CACHE';

export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return path.join(env[override] || systemFolder(env, platform), 'states');
}

/** Where the tools of servers are kept. */
export function toolsFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return path.join(env[override] || systemFolder(env, platform), 'tools');
}

function systemFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'rawcall', 'Cache');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'rawcall');
  const given = env.XDG_CACHE_HOME;
  // The standard has relative paths ignored.
  return path.join(given && path.isAbsolute(given) ? given : path.join(home, '.cache'), 'rawcall');
}
