/** Where a user's own data lie that no one else may read: the place that the system has for it. */
import { homedir } from 'node:os';
import path from 'node:path';

/** The environment variable that names another folder. */
const override = 'RAWCALL_DATA';

export function dataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = env[override];
  if (given) return path.resolve(given);
  const home = homedir();
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'rawcall', 'Data');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'rawcall');
  const standard = env.XDG_DATA_HOME;
  // The standard has relative paths ignored.
  return path.join(
    standard && path.isAbsolute(standard) ? standard : path.join(home, '.local', 'share'),
    'rawcall',
  );
}
