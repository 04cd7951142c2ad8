/** Where a user's files lie: the places that the system has for programs, or those that variables of the environment name. */
import { homedir } from 'node:os';
import path from 'node:path';

interface Place {
  /** The variable that names another folder. */
  readonly override: string;
  readonly windows: string;
  readonly mac: string;
  /** The variable of the XDG standard, and the place in the home folder where it is not set. */
  readonly standard: string;
  readonly home: string;
}

/** What may be deleted at any time: saved states, the tools of servers. */
export const cacheFolder = userFolder({
  override: 'RAWCALL_CACHE',
  windows: 'Cache',
  mac: 'Caches',
  standard: 'XDG_CACHE_HOME',
  home: '.cache',
});

/** What is kept for good, and is the user's alone: logins, transcripts. */
export const dataFolder = userFolder({
  override: 'RAWCALL_DATA',
  windows: 'Data',
  mac: 'Application Support',
  standard: 'XDG_DATA_HOME',
  home: '.local/share',
});

function userFolder(place: Place) {
  return (env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string => {
    const given = env[place.override];
    if (given) return path.resolve(given);
    const home = homedir();
    if (platform === 'win32')
      return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'rawcall', place.windows);
    if (platform === 'darwin') return path.join(home, 'Library', place.mac, 'rawcall');
    const standard = env[place.standard];
    // The standard has relative paths ignored.
    return path.join(
      standard && path.isAbsolute(standard) ? standard : path.join(home, place.home),
      'rawcall',
    );
  };
}
