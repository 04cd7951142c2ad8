/** One template's prompt, token by token. */
import { CopyButton } from '../raw/copy-button.tsx';
import { TokenFlow } from '../raw/token-flow.tsx';
import type { Rendered } from './rendered.ts';

interface RenderedPromptProps {
  readonly prompt: Rendered;
  /** They are tokens, and no words. */
  readonly counted: boolean;
}

export function RenderedPrompt({ prompt: { format, tokens, flow }, counted }: RenderedPromptProps) {
  return (
    <section class="part" aria-label={`Prompt of ${format}`}>
      <header>
        <h2>{format}</h2>
        <span class="quiet small">
          {tokens.length.toLocaleString('en')} {counted ? 'tokens' : 'words and signs'}
        </span>
        <span class="grow" />
        <CopyButton what={`the prompt of ${format}`} text={() => tokens.map(({ text }) => text).join('')} />
      </header>
      <TokenFlow label={`Prompt of ${format}`} flow={flow} />
    </section>
  );
}
