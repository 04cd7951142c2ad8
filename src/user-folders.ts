/** Where a user's files lie: the places that the system has for programs, or those that variables of the environment name. */
import { homedir } from 'node:os';
import path from 'node:path';

/** What may be deleted at any time: saved states, the tools of servers. `RAWCALL_CACHE` names another folder. */
export function cacheFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return env.RAWCALL_CACHE
    ? path.resolve(env.RAWCALL_CACHE)
    : systemFolder(env, platform, {
        windows: 'Cache',
        mac: 'Caches',
        standard: 'XDG_CACHE_HOME',
        home: '.cache',
      });
}

/** What is kept for good, and is the user's alone: logins, transcripts. `RAWCALL_DATA` names another folder. */
export function dataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return env.RAWCALL_DATA
    ? path.resolve(env.RAWCALL_DATA)
    : systemFolder(env, platform, {
        windows: 'Data',
        mac: 'Application Support',
        standard: 'XDG_DATA_HOME',
        home: path.join('.local', 'share'),
      });
}

function systemFolder(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  names: { readonly windows: string; readonly mac: string; readonly standard: string; readonly home: string },
): string {
  const home = homedir();
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'rawcall', names.windows);
  if (platform === 'darwin') return path.join(home, 'Library', names.mac, 'rawcall');
  const given = env[names.standard];
  // The standard has relative paths ignored.
  return path.join(given && path.isAbsolute(given) ? given : path.join(home, names.home), 'rawcall');
}
