/** A server's form on the terminal, field by field, and shown whole before it is sent. */
import pc from 'picocolors';
import { exactText } from '../../exact-text.ts';
import { invalidForm } from '../../mcp/elicitation-answer.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../mcp/features.ts';
import type { Lines } from '../lines.ts';
import { type FieldValue, type FormField, formFields } from './form-field.ts';

type FormRequest = ElicitationRequest & { readonly mode: 'form' };
type Content = Readonly<Record<string, FieldValue>>;

export async function fillIn(
  { server, message, schema }: FormRequest,
  lines: Lines,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const fields = formFields(schema);
  tell(`${pc.cyan('?')} The server ${pc.bold(exactText(server))} asks: ${exactText(message)}`);
  if (fields.length > 0)
    tell(pc.dim('  Enter takes what is in brackets. /decline refuses, /cancel leaves, /back goes back.'));
  for (;;) {
    const content = await askFields(fields, lines, signal);
    if ('action' in content) return content;
    const wrong = invalidForm(schema, content.values);
    if (wrong !== undefined) {
      tell(pc.yellow(`  The form as a whole is not what the server asks for: ${exactText(wrong)}.`));
      continue;
    }
    const answer = await confirm(server, content.values, lines, signal);
    if (answer) return answer;
  }
}

/** Undefined: all of it is to be asked again. */
async function confirm(
  server: string,
  content: Content,
  lines: Lines,
  signal: AbortSignal,
): Promise<ElicitationAnswer | undefined> {
  const shown = Object.entries(content).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const what = shown.length === 0 ? 'Agree' : `Send ${exactText(shown.join(', '))}`;
  const line = await lines.next(`  ${what}, to ${exactText(server)}? [y / n = decline / again] `, signal);
  if (line === undefined) return { action: 'cancel' };
  if (/^\s*y(es)?\s*$/i.test(line)) return { action: 'accept', content };
  if (/^\s*again\s*$/i.test(line)) return undefined;
  return declined(line);
}

function declined(line: string): ElicitationAnswer {
  const reason = line.trim().replace(/^(n|no)\b[\s,:;]*/i, '');
  return { action: 'decline', ...(reason === '' ? {} : { reason }) };
}

async function askFields(
  fields: readonly FormField[],
  lines: Lines,
  signal: AbortSignal,
): Promise<{ values: Content } | Exclude<ElicitationAnswer, { action: 'accept' }>> {
  const values: Record<string, FieldValue> = {};
  let described: FormField | undefined;
  for (let at = 0; at < fields.length; ) {
    const field = fields[at]!;
    const before = Object.hasOwn(values, field.name) ? values[field.name] : field.preset;
    // Not again after a line that was none.
    if (field !== described) describe(field);
    described = field;
    const line = await lines.next(`  ${exactText(field.title)}${bracket(field, before)}: `, signal);
    if (line === undefined || line.trim() === '/cancel') return { action: 'cancel' };
    if (line.trim() === '/decline') return { action: 'decline' };
    if (line.trim() === '/back') at = Math.max(0, at - 1);
    else if (line.trim() !== '') {
      const read = field.read(line);
      if ('problem' in read) tell(pc.yellow(`  ${exactText(read.problem)}`));
      else {
        values[field.name] = read.value;
        at++;
      }
    } else if (before === undefined && field.required) tell(pc.yellow('  The server needs it.'));
    else {
      if (before !== undefined) values[field.name] = before;
      at++;
    }
  }
  return { values };
}

function describe({ title, description, hint, choices }: FormField): void {
  const about = description === undefined ? '' : ` ${exactText(description)}`;
  tell(pc.dim(`  ${exactText(title)}:${about} (${hint})`));
  choices.forEach(({ title, value }, at) => {
    tell(`    ${at + 1} ${exactText(title === value ? title : `${title} (${value})`)}`);
  });
}

function bracket({ required }: FormField, before: FieldValue | undefined): string {
  if (before === undefined) return required ? '' : ' [nothing]';
  return ` [${exactText([before].flat().join(', '))}]`;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
