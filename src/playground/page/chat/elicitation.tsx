/** What a server asks the user for: the values of a form, or to open a page. */
import { useEffect, useMemo } from 'preact/hooks';
import { exactText } from '../../../exact-text.ts';
import { announce } from '../shell/announcer.tsx';
import { OutsideLink } from '../shell/outside-link.tsx';
import { type FormField, formFields, readField } from './form-fields.ts';
import type { ElicitationItem } from './items.ts';
import { useAnswer } from './use-answer.ts';

interface ElicitationProps {
  readonly item: ElicitationItem;
  readonly dialogue: string;
}

export function ElicitationCard({ item, dialogue }: ElicitationProps) {
  const { request } = item;
  const state = item.state.value;
  return (
    <section
      class={`card elicitation ${state.phase === 'open' ? 'asks' : ''}`}
      aria-label={`${request.server} asks`}
    >
      <header>
        <span>
          The server <code>{exactText(request.server)}</code> asks
        </span>
        <span class="status quiet">{state.phase === 'answered' ? state.action : state.phase}</span>
      </header>
      <p class="as-is">{exactText(request.message, '\n')}</p>
      {state.phase === 'open' && <Open item={item} dialogue={dialogue} />}
      {state.phase === 'answered' && state.reason !== undefined && <p class="small quiet">{state.reason}</p>}
    </section>
  );
}

function Open({ item, dialogue }: ElicitationProps) {
  const { ask, request } = item;
  const fields = useMemo(() => (request.mode === 'form' ? formFields(request.schema) : []), [request]);
  useEffect(() => announce(`The server ${request.server} asks: ${request.message}`), [request]);
  const { answered, answer } = useAnswer(dialogue, ask);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        answer({
          action: 'accept',
          ...(request.mode === 'form' ? { content: filledIn(fields, event) } : {}),
        });
      }}
    >
      {request.mode === 'url' && (
        <p>
          <OutsideLink href={request.url}>{exactText(request.url)}</OutsideLink>
        </p>
      )}
      {fields.map(field => (
        <Field key={field.name} field={field} ask={ask} />
      ))}
      <div class="row">
        <button type="submit" class="main" disabled={answered.value}>
          {request.mode === 'url' ? 'I have opened it' : fields.length === 0 ? 'Agree' : 'Send'}
        </button>
        <button type="button" disabled={answered.value} onClick={() => answer({ action: 'decline' })}>
          Decline
        </button>
        <button
          type="button"
          class="plain"
          disabled={answered.value}
          onClick={() => answer({ action: 'cancel' })}
        >
          Leave unanswered
        </button>
      </div>
    </form>
  );
}

function filledIn(fields: readonly FormField[], { currentTarget }: Event) {
  const form = new FormData(currentTarget as HTMLFormElement);
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = readField(field, form);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function Field({ field, ask }: { readonly field: FormField; readonly ask: string }) {
  const { name, kind, choices, preset, required, limits } = field;
  const title = `${exactText(field.title)}${required ? '' : ' (optional)'}`;
  const about = field.description !== undefined && (
    <span class="small quiet about">{exactText(field.description)}</span>
  );
  if (kind === 'many')
    return (
      <fieldset>
        <legend>{title}</legend>
        {about}
        {choices.map(({ value, title }) => (
          <label key={value}>
            <input
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={Array.isArray(preset) && preset.includes(value)}
            />
            {exactText(title)}
          </label>
        ))}
      </fieldset>
    );
  if (kind === 'boolean')
    return (
      <label class="line">
        <input type="checkbox" name={name} defaultChecked={preset === true} />
        {exactText(field.title)} {about}
      </label>
    );
  const initial = preset === undefined ? '' : String(preset);
  const id = `${ask}-${name}`;
  return (
    <div class="asked">
      <label for={id}>{title}</label>
      {about}
      {kind === 'one' ? (
        <select id={id} name={name} required={required}>
          <option value="">…</option>
          {choices.map(({ value, title }) => (
            <option key={value} value={value} selected={value === initial}>
              {exactText(title)}
            </option>
          ))}
        </select>
      ) : (
        <input {...limits} id={id} name={name} required={required} defaultValue={initial} />
      )}
    </div>
  );
}
