/** Numbers of models in words that people use. */
import type { CatalogFile, CatalogModel, Sampling } from '../../catalog/catalog.ts';
import { bytesText } from '../../store/bytes-text.ts';

/** `135 million`, `1.2 billion`. */
export function numberText(count: number): string {
  if (count < 1e6) return String(count);
  const [value, unit] = count < 1e9 ? [count / 1e6, 'million'] : [count / 1e9, 'billion'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

export function parametersText({ parameters, activeParameters }: CatalogModel): string {
  const active = activeParameters === undefined ? '' : `, ${numberText(activeParameters)} at work on a token`;
  return `${numberText(parameters)}${active}`;
}

/** Where nobody has seen the file, about. */
export function sizeOf({ size }: CatalogFile): string {
  return `${size.exact ? '' : '~'}${bytesText(size.bytes)}`;
}

/** As it is typed. */
export function samplingFlags({ temperature, topP, topK, minP, repeatPenalty }: Sampling): string {
  const flags = [
    ['--temperature', temperature],
    ['--top-p', topP],
    ['--top-k', topK],
    ['--min-p', minP],
    ['--repeat-penalty', repeatPenalty],
  ] as const;
  return flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${value}`])).join(' ');
}
