/** The variables of our environment that every server gets: what programs need to run, and no secrets. */

const names =
  process.platform === 'win32'
    ? `APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE`
    : `HOME LOGNAME PATH SHELL TERM USER`;

export function inheritedEnvironment(): Record<string, string> {
  const entries = names.split(' ').map(name => [name, process.env[name]] as const);
  // A shell exports its functions as values that begin so.
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[1].startsWith('()'),
    ),
  );
}
