import type { ModelState } from '../../protocol.ts';

/** Which model is open, and what it is. */
export function ModelLine({ model }: { readonly model: ModelState }) {
  switch (model.phase) {
    case 'loading':
      return (
        <p class="model small" role="status">
          {model.name} is being opened…
        </p>
      );
    case 'failed':
      return (
        <p class="model small bad" role="alert">
          {model.message}
        </p>
      );
    case 'ready': {
      const facts = [
        model.format,
        ...(model.parameters === undefined ? [] : [`${scaled(model.parameters)} parameters`]),
        ...(model.contextSize === undefined ? [] : [`context ${model.contextSize.toLocaleString('en')}`]),
      ];
      return (
        <p class="model small">
          <strong>{model.name}</strong>
          <br />
          <span class="quiet">{facts.join(', ')}</span>
        </p>
      );
    }
  }
}

function scaled(count: number): string {
  return Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
