/**
 * A server's tools as it listed them. One tool that is wrong must not take the others with it, as it would with the SDK's own
 * schema of a list, and a schema must keep its keys in the server's order, because the model reads those bytes. So each tool is
 * read by hand.
 */
import type { JsonSchema, ToolAnnotations, ToolDefinition } from '../../parsers/parser.ts';
import { schemaFault } from '../../parsers/validate.ts';
import { isFields } from '../../templates/check.ts';
import type { ToolListing, ToolProblem } from './connection.ts';
import { notOfAnObject, schemaProblem } from './schema-problem.ts';

export interface ReadListing extends ToolListing {
  /** Names of the tools that their server runs as tasks only. */
  readonly tasks: ReadonlySet<string>;
}

export function readTools(listed: readonly unknown[]): ReadListing {
  const tools: ToolDefinition[] = [];
  const tasks = new Set<string>();
  const problems: ToolProblem[] = [];
  const seen = new Set<string>();
  for (const raw of listed) {
    const tool = isFields(raw) ? raw : {};
    const name = typeof tool.name === 'string' ? tool.name : '';
    const leaveOut = (why: string) =>
      problems.push({ tool: name || '(no name)', message: `${why}. The tool is left out.` });
    const inputProblem = notOfAnObject(tool.inputSchema);
    if (name === '') leaveOut('It has no name');
    else if (seen.has(name)) leaveOut('The server lists this name twice');
    else if (inputProblem) leaveOut(`Its input schema is none of an object: ${inputProblem}`);
    else {
      seen.add(name);
      if (isFields(tool.execution) && tool.execution.taskSupport === 'required') tasks.add(name);
      const outputProblem = tool.outputSchema === undefined ? undefined : schemaProblem(tool.outputSchema);
      if (outputProblem) {
        const message = `Its output schema is no JSON Schema of an object: ${outputProblem}. The tool is offered without it.`;
        problems.push({ tool: name, message });
      }
      const read: ToolDefinition = {
        name,
        ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
        inputSchema: tool.inputSchema as JsonSchema,
        ...(isFields(tool.outputSchema) && !outputProblem ? { outputSchema: tool.outputSchema } : {}),
        ...annotations(tool.annotations),
      };
      const fault = schemaFault(read);
      if (fault !== undefined)
        problems.push({
          tool: name,
          message: `Its input schema is broken: ${fault}. Its arguments are not validated.`,
        });
      tools.push(read);
    }
  }
  return { tools, problems, tasks };
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** What is not what it should be is dropped: a hint can only ask for more care. */
function annotations(raw: unknown): { annotations?: ToolAnnotations } {
  if (!isFields(raw)) return {};
  const kept = hints.flatMap(hint => (typeof raw[hint] === 'boolean' ? [[hint, raw[hint]]] : []));
  const title = typeof raw.title === 'string' ? { title: raw.title } : {};
  return { annotations: { ...title, ...Object.fromEntries(kept) } };
}
