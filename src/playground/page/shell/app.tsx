/** What is always there: the views to go to, the theme, the list of keys, and the view that the address names. */
import type { ComponentType } from 'preact';
import { ChatView } from '../chat/view.tsx';
import { LabView } from '../lab/view.tsx';
import { RawView } from '../raw/view.tsx';
import { RunsView } from '../runs/view.tsx';
import { Announcer } from './announcer.tsx';
import { current } from './current.ts';
import { KeyList, toggleKeyList } from './key-list.tsx';
import { refused } from './news.ts';
import { addressOf, route, type ViewName, type ViewProps, viewNames } from './route.ts';
import { type Shortcut, useShortcuts } from './shortcuts.ts';
import { theme, themes } from './theme.ts';
import { Trouble } from './trouble.tsx';

const views: Readonly<Record<ViewName, { readonly title: string; readonly View: ComponentType<ViewProps> }>> =
  {
    chat: { title: 'Chat', View: ChatView },
    raw: { title: 'Raw', View: RawView },
    lab: { title: 'Lab', View: LabView },
    runs: { title: 'Runs', View: RunsView },
  };

const keys: readonly Shortcut[] = [
  { key: '?', does: 'show the keys', run: toggleKeyList },
  ...viewNames.map((view, at) => ({
    key: String(at + 1),
    does: `go to ${views[view].title}`,
    run: () => location.assign(placeOf(view)),
  })),
];

export function App() {
  useShortcuts(keys);
  const { view, path } = route.value;
  const { title, View } = views[view];
  document.title = `${title} – rawcall playground`;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the view
      </button>
      <header class="bar">
        <strong class="name">rawcall</strong>
        <nav aria-label="Views">
          {viewNames.map(name => (
            <a key={name} href={placeOf(name)} aria-current={name === view ? 'page' : undefined}>
              {views[name].title}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <ThemeSwitch />
        <button type="button" class="plain" onClick={toggleKeyList} title="Keys (?)" aria-label="Keys">
          ?
        </button>
      </header>
      <main id="main" tabIndex={-1} data-view={view}>
        {refused.value ? <Refused message={refused.value.message} /> : <View path={path} />}
      </main>
      <Trouble />
      <Announcer />
      <KeyList />
    </>
  );
}

/** Chat and the raw view of the dialogue that was last looked at. */
function placeOf(view: ViewName): string {
  const dialogue = current.value;
  return dialogue !== undefined && (view === 'chat' || view === 'raw')
    ? addressOf(view, dialogue)
    : addressOf(view);
}

function Refused({ message }: { readonly message: string }) {
  return (
    <div class="refused">
      <h1>Nothing is shown without a token</h1>
      <p>{message}</p>
    </div>
  );
}

function ThemeSwitch() {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
  return (
    <button
      type="button"
      class="plain"
      aria-label={`Theme: ${theme.value}. Switch to ${next}.`}
      title={`Theme: ${theme.value}`}
      onClick={() => {
        theme.value = next;
      }}
    >
      <span aria-hidden="true">{{ system: '◐', light: '☀', dark: '☾' }[theme.value]}</span>
    </button>
  );
}
