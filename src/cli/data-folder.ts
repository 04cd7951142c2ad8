/** Where what is kept for good lies: the place that the system has for programs' data. */
import { homedir } from 'node:os';
import path from 'node:path';

/** The environment variable that names another folder. */
const override = 'RAWCALL_DATA';

export function dataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return env[override] || systemFolder(env, platform);
}

/** Of transcripts. */
export function runsFolder(env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform): string {
  return path.join(dataFolder(env, platform), 'runs');
}

function systemFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'rawcall', 'Data');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'rawcall');
  const given = env.XDG_DATA_HOME;
  // The standard has relative paths ignored.
  return path.join(given && path.isAbsolute(given) ? given : path.join(home, '.local', 'share'), 'rawcall');
}
