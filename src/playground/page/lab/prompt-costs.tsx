/** What each prompt costs, by whose text it is: in tokens, or in characters where nobody has made tokens of them. */
import type { Origin } from '../../../../templates/template.ts';
import { originWords } from '../raw/prompt-flow.ts';
import type { Rendered } from './rendered.ts';

interface PromptCostsProps {
  readonly prompts: readonly Rendered[];
  readonly tokenizer: string | undefined;
}

export function PromptCosts({ prompts, tokenizer }: PromptCostsProps) {
  const size = ({ tokens }: Rendered, of?: Origin) =>
    tokens
      .filter(({ origin }) => of === undefined || origin === of)
      .reduce((sum, { text }) => sum + (tokenizer === undefined ? text.length : 1), 0);
  const origins = (Object.keys(originWords) as Origin[]).filter(origin =>
    prompts.some(prompt => size(prompt, origin) > 0),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by the keys.
    <section class="scroll" aria-label="What each prompt costs" tabIndex={0}>
      <table>
        <caption>
          {tokenizer === undefined ? 'Characters; no model counts tokens yet' : `Tokens of ${tokenizer}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col" class="number">
              All
            </th>
            {origins.map(origin => (
              <th key={origin} scope="col" class="number">
                {originWords[origin]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prompts.map(prompt => (
            <tr key={prompt.format}>
              <th scope="row">{prompt.format}</th>
              <td class="number">{size(prompt).toLocaleString('en')}</td>
              {origins.map(origin => (
                <td key={origin} class="number">
                  {size(prompt, origin).toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
