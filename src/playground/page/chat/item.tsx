/** One thing that happened in a run. */
import { addressOf } from '../shell/route.ts';
import { CallCard } from './call-card.tsx';
import { ElicitationCard } from './elicitation.tsx';
import type { Item, TextItem, TurnItem } from './items.ts';
import type { Exchange } from './log.ts';
import { Prose } from './prose.tsx';

interface ItemProps {
  readonly item: Item;
  readonly dialogue: string;
  readonly exchange: Exchange;
}

export function ItemView({ item, dialogue, exchange }: ItemProps) {
  switch (item.kind) {
    case 'turn':
      return <TurnLine turn={item} dialogue={dialogue} />;
    case 'text':
    case 'reasoning':
      return <TextView item={item} live={isLive(item, exchange)} />;
    case 'call':
      return <CallCard item={item} dialogue={dialogue} />;
    case 'elicitation':
      return <ElicitationCard item={item} dialogue={dialogue} />;
    case 'note':
      return <p class={`note ${item.tone}`}>{item.text}</p>;
  }
}

function isLive(item: Item, { items, state }: Exchange): boolean {
  return state.value.phase === 'running' && items.value.at(-1) === item;
}

function TextView({ item, live }: { readonly item: TextItem; readonly live: boolean }) {
  const text = item.text.value;
  if (item.kind === 'reasoning')
    return (
      <details class="reasoning">
        <summary>
          Thought{' '}
          <span class="quiet">
            {text.length.toLocaleString('en')} characters{live ? ' so far' : ''}
          </span>
        </summary>
        <div class="as-is">{text}</div>
      </details>
    );
  return (
    <div class={`text ${item.superseded.value ? 'superseded' : ''}`}>
      <Prose text={text} live={live} />
    </div>
  );
}

/** Where a turn of the model begins: what it cost, and the way to its tokens. */
function TurnLine({ turn, dialogue }: { readonly turn: TurnItem; readonly dialogue: string }) {
  const last = turn.usage.value.at(-1);
  // A server elsewhere may say nothing of it.
  const told = last !== undefined && last.prompt > 0;
  const prompt = told ? last.prompt : turn.tokens;
  const generated = turn.usage.value.reduce((sum, usage) => sum + usage.generated, 0);
  return (
    <p class="turn">
      <a href={addressOf('raw', dialogue, turn.turn)} title="The prompt and the completion, token by token">
        turn {turn.turn}
      </a>{' '}
      {turn.purpose}
      {prompt !== undefined && `, prompt ${count(prompt)}`}
      {told && ` (${count(last.evaluated)} evaluated, ${count(last.reused)} reused)`}
      {last && `, wrote ${count(generated)}`}
    </p>
  );
}

const count = (tokens: number) => tokens.toLocaleString('en');
