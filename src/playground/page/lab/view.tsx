/** The lab: a completion read by any format, messages rendered by any template, one prompt under two settings. */
import type { ComponentType } from 'preact';
import { flowKeys } from '../raw/flow-keys.ts';
import { addressOf, type ViewProps } from '../shell/route.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { ReadTab } from './read-tab.tsx';
import { RenderTab } from './render-tab.tsx';
import { RunTab } from './run-tab.tsx';

const tabs: Readonly<Record<string, { readonly title: string; readonly Tab: ComponentType }>> = {
  read: { title: 'Read a completion', Tab: ReadTab },
  render: { title: 'Render messages', Tab: RenderTab },
  run: { title: 'Run two settings', Tab: RunTab },
};

export function LabView({ path: [name = 'read'] }: ViewProps) {
  useShortcuts(flowKeys);
  const shown = tabs[name] ? name : 'read';
  const { title, Tab } = tabs[shown]!;
  return (
    <div class="lab">
      <h1 class="sr">Lab: {title}</h1>
      <nav class="tabs" aria-label="Lab">
        {Object.entries(tabs).map(([key, tab]) => (
          <a key={key} href={addressOf('lab', key)} aria-current={key === shown ? 'page' : undefined}>
            {tab.title}
          </a>
        ))}
      </nav>
      <Tab />
    </div>
  );
}
