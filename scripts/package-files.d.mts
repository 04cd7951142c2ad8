export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

export const sizeLimit: number;
export function exportTargets(manifest: object): string[];
export function fileProblems(files: readonly PackedFile[], manifest: object): string[];
export function sizeProblem(bytes: number): string | undefined;
