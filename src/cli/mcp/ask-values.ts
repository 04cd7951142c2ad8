/** Asks for values one by one, with the server's own completions behind the Tab key. */
import type { CompletionTarget, ServerFeatures } from '../../mcp/features.ts';
import type { Lines } from '../lines.ts';
import { visible } from '../output.ts';

export interface Wanted {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface AskValuesOptions {
  readonly lines: Lines;
  readonly features: ServerFeatures;
  readonly target: CompletionTarget;
  readonly signal?: AbortSignal;
}

/** Those that are given and those that were asked for; nothing where the user broke it off. */
export async function askValues(
  wanted: readonly Wanted[],
  given: Readonly<Record<string, string>>,
  { lines, features, target, signal }: AskValuesOptions,
): Promise<Record<string, string> | undefined> {
  const values: Record<string, string> = { ...given };
  for (const { name, description, required } of wanted) {
    if (values[name] !== undefined) continue;
    const complete = async (line: string): Promise<[string[], string]> => [
      [...(await features.complete(target, name, line, values).catch(() => []))],
      line,
    ];
    const about = description === undefined ? '' : ` (${visible(description.split('\n')[0] ?? '')})`;
    const question = `${visible(name)}${about}${required ? '' : ', or nothing'}: `;
    for (;;) {
      const line = await lines.next(question, signal, complete);
      if (line === undefined) return undefined;
      if (line.trim() !== '') values[name] = line.trim();
      if (values[name] !== undefined || !required) break;
    }
  }
  return values;
}
