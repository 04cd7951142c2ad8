/** Where desktop apps and editors keep their MCP servers, as their documentation says. */
import path from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder whose project files are looked at. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AppFile {
  readonly app: string;
  readonly file: string;
  /** A project's own file: what it says of "the workspace" is this folder. */
  readonly workspace?: string;
  /** Where in the file the servers stand: the first that is there counts. */
  readonly places: readonly (readonly string[])[];
}

/** The places of any app, for a file of which nothing else is known. */
export const anyPlaces = [['mcpServers'], ['servers'], ['context_servers'], ['mcp', 'servers']] as const;

/** Every file that may be there; the user's own before the project's. */
export function appFiles({ platform, home, folder, env }: Machine): AppFile[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const roaming = env.APPDATA ?? join(home, 'AppData', 'Roaming');
  const xdg = env.XDG_CONFIG_HOME ?? join(home, '.config');
  /** Of apps that keep to the platform's habit. */
  const settings = (...names: string[]) => {
    if (platform === 'win32') return join(roaming, ...names);
    return platform === 'darwin'
      ? join(home, 'Library', 'Application Support', ...names)
      : join(xdg, ...names);
  };
  const zed =
    platform === 'win32' ? join(roaming, 'Zed', 'settings.json') : join(xdg, 'zed', 'settings.json');
  const cline = ['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'];

  const servers = [['mcpServers']];
  const user = (app: string, file: string, places: AppFile['places'] = servers): AppFile => ({
    app,
    file,
    places,
  });
  const project = (app: string, names: readonly string[], places: AppFile['places'] = servers): AppFile => ({
    app,
    file: join(folder, ...names),
    workspace: folder,
    places,
  });
  return [
    user('claude-desktop', settings('Claude', 'claude_desktop_config.json')),
    // Servers that were added for one folder alone come first: they are what counts there.
    user('claude-code', join(home, '.claude.json'), [['projects', folder, 'mcpServers'], ['mcpServers']]),
    project('claude-code', ['.mcp.json']),
    user('cursor', join(home, '.cursor', 'mcp.json')),
    project('cursor', ['.cursor', 'mcp.json']),
    user('vscode', settings('Code', 'User', 'mcp.json'), [['servers']]),
    user('vscode', settings('Code', 'User', 'settings.json'), [['mcp', 'servers']]),
    project('vscode', ['.vscode', 'mcp.json'], [['servers']]),
    user('windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    user('cline', settings('Code', 'User', ...cline)),
    user('gemini', join(home, '.gemini', 'settings.json')),
    project('gemini', ['.gemini', 'settings.json']),
    user('lm-studio', join(home, '.lmstudio', 'mcp.json')),
    user('zed', zed, [['context_servers']]),
    project('zed', ['.zed', 'settings.json'], [['context_servers']]),
  ];
}
