/** In what form the model is shown the tools' schemas: as `--tool-schemas` says, or the entry of the tool's server. */
import { withSimplifiedSchemas } from '../../templates/simplify.ts';
import type { Format } from '../format.ts';
import type { Host } from '../mcp/host.ts';
import type { Values } from './settings.ts';

/** Only its prompts are others: calls are read by the schemas as they are. */
export function withShownSchemas(format: Format, { toolSchemas }: Values, origin?: Host['origin']): Format {
  const isSimplified = (name: string) =>
    (origin?.(name)?.settings.toolSchemas ?? toolSchemas) === 'simplified';
  return { ...format, template: withSimplifiedSchemas(format.template, ({ name }) => isSimplified(name)) };
}
