/** A prompt for the eye: a control token can be told from text that spells the same. */
import type { createColors } from 'picocolors';
import type { Prompt } from '../../templates/template.ts';
import { visible } from './output.ts';

export type Colors = ReturnType<typeof createColors>;

export function markedPrompt(prompt: Prompt, colors: Colors): string {
  return prompt
    .map(piece => {
      if ('text' in piece)
        return piece.origin === 'template' ? colors.dim(visible(piece.text)) : visible(piece.text);
      return colors.isColorSupported ? colors.bold(colors.cyan(piece.control)) : `⟦${piece.control}⟧`;
    })
    .join('');
}
