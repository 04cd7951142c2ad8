/** Recorded runs and evaluations: those that are kept here, and any file that is dropped on the page. */
import { useEffect, useRef } from 'preact/hooks';
import type { EvalReport, RecordedRuns } from '../../runs/runs-protocol.ts';
import { flowKeys } from '../raw/flow-keys.ts';
import { addressOf, type ViewProps } from '../shell/route.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { attempt } from '../shell/trouble.tsx';
import { FileList } from './file-list.tsx';
import { dropped, openFile, refresh } from './files.ts';
import { ReportView } from './report-view.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { useFetched } from './use-fetched.ts';

export function RunsView({ path }: ViewProps) {
  const [kind] = path;
  useEffect(() => void attempt(refresh), []);
  useShortcuts(flowKeys);
  const shown = kind === undefined ? undefined : path.join('/');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is the pointer's way to the button that opens one.
    <div
      class={`runs${shown === undefined ? ' nothing' : ''}`}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault();
        const [file] = event.dataTransfer?.files ?? [];
        if (file) void attempt(() => openFile(file));
      }}
    >
      <h1 class="sr">Runs</h1>
      <aside aria-label="Recordings">
        <OpenFile />
        <FileList shown={shown} />
      </aside>
      <div class="opened">
        {shown === undefined ? (
          <p class="quiet">
            Each run of <code>rawcall</code> is recorded. Open one to step through it and to have it gone
            through again, or drop a transcript or the results of an evaluation anywhere here.
          </p>
        ) : (
          <Opened key={shown} path={path} />
        )}
      </div>
    </div>
  );
}

function OpenFile() {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        Open a file …
      </button>
      <input
        ref={field}
        type="file"
        hidden
        accept=".jsonl,.json"
        aria-label="A transcript, or the results of an evaluation"
        onChange={event => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void attempt(() => openFile(file));
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function Opened({ path: [kind, id = '', sample] }: ViewProps) {
  const name = encodeURIComponent(id);
  if (kind === 'file') return <Dropped />;
  if (kind === 'run') return <Run path={`runs/${name}`} title={id} replay={`runs/${name}/replay`} />;
  if (kind === 'eval' && sample !== undefined) {
    const place = `evals/${name}/samples/${encodeURIComponent(sample)}`;
    return (
      <>
        <p>
          <a href={addressOf('runs', 'eval', id)}>Back to the evaluation</a>
        </p>
        <Run path={`${place}/transcript`} title={`Sample of ${id}`} replay={`${place}/replay`} />
      </>
    );
  }
  return <Evaluation path={`evals/${name}`} id={id} />;
}

function Dropped() {
  const file = dropped.value;
  if (!file)
    return <p class="quiet">The file was nowhere but in this page, which was loaded anew. Open it again.</p>;
  const { read, name, text } = file;
  if (read.kind === 'eval') return <ReportView report={read.report} />;
  return (
    <TranscriptView runs={read.runs} title={name} replay={{ path: 'runs/replay', body: { name, text } }} />
  );
}

interface RunProps {
  readonly path: string;
  readonly title: string;
  /** Where a replay of it is asked for. */
  readonly replay: string;
}

function Run({ path, title, replay }: RunProps) {
  const { answer, failure } = useFetched<RecordedRuns>(path).value;
  if (failure !== undefined) return <p class="bad">{failure}</p>;
  if (!answer) return <p class="quiet">It is being read …</p>;
  return <TranscriptView runs={answer} title={title} replay={{ path: replay, body: {} }} />;
}

function Evaluation({ path, id }: { readonly path: string; readonly id: string }) {
  const { answer, failure } = useFetched<EvalReport>(path).value;
  if (failure !== undefined) return <p class="bad">{failure}</p>;
  return answer ? <ReportView report={answer} id={id} /> : <p class="quiet">It is being read …</p>;
}
