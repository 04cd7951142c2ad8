/** Where apps keep their servers on each platform, as their documentation says. */
import { expect, test } from 'vitest';
import { appFiles, type Machine } from '../../../src/cli/mcp/known-apps.ts';

const files = (machine: Partial<Machine>) =>
  appFiles({ platform: 'linux', home: '/home/ann', folder: '/work/p', env: {}, ...machine }).map(
    ({ app, file }) => `${app} ${file}`,
  );

test('on Linux', () => {
  expect(files({})).toEqual([
    'claude-desktop /home/ann/.config/Claude/claude_desktop_config.json',
    'claude-code /home/ann/.claude.json',
    'claude-code /work/p/.mcp.json',
    'cursor /home/ann/.cursor/mcp.json',
    'cursor /work/p/.cursor/mcp.json',
    'vscode /home/ann/.config/Code/User/mcp.json',
    'vscode /home/ann/.config/Code/User/settings.json',
    'vscode /work/p/.vscode/mcp.json',
    'windsurf /home/ann/.codeium/windsurf/mcp_config.json',
    'cline /home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    'gemini /home/ann/.gemini/settings.json',
    'gemini /work/p/.gemini/settings.json',
    'lm-studio /home/ann/.lmstudio/mcp.json',
    'zed /home/ann/.config/zed/settings.json',
    'zed /work/p/.zed/settings.json',
  ]);
  expect(files({ env: { XDG_CONFIG_HOME: '/etc/ann' } })).toContain('zed /etc/ann/zed/settings.json');
});

test('on macOS', () => {
  const known = files({ platform: 'darwin', home: '/Users/ann' });
  for (const file of [
    'claude-desktop /Users/ann/Library/Application Support/Claude/claude_desktop_config.json',
    'vscode /Users/ann/Library/Application Support/Code/User/mcp.json',
    'cursor /Users/ann/.cursor/mcp.json',
    'zed /Users/ann/.config/zed/settings.json',
  ])
    expect(known).toContain(file);
});

test('on Windows', () => {
  const home = 'C:\\Users\\ann';
  const known = files({
    platform: 'win32',
    home,
    folder: 'D:\\p',
    env: { APPDATA: `${home}\\AppData\\Roaming` },
  });
  for (const file of [
    `claude-desktop ${home}\\AppData\\Roaming\\Claude\\claude_desktop_config.json`,
    `vscode ${home}\\AppData\\Roaming\\Code\\User\\mcp.json`,
    `cursor ${home}\\.cursor\\mcp.json`,
    'vscode D:\\p\\.vscode\\mcp.json',
    `zed ${home}\\AppData\\Roaming\\Zed\\settings.json`,
  ])
    expect(known).toContain(file);
});
