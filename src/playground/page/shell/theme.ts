/** Light or dark: as the system is, or as somebody chose here. */
import { effect, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'rawcall-theme';
const kept = localStorage.getItem(key);

export const theme = signal<Theme>(themes.find(name => name === kept) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(key, theme.value);
});
