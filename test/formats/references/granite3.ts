import { granite } from '../../../parsers/granite.ts';
import { type Reference, whole } from '../reference.ts';

export const reference: Reference = {
  format: 'granite3',
  files: ['ibm-granite-granite-3.3-2B-Instruct.jinja'],
  covers: whole,
  corrections: [
    ["strftime_now('%B %d, %Y')", 'date_string'],
    // The name that other templates have for it.
    ['elif thinking', 'elif enable_thinking'],
  ],
  // Theirs writes the content alone.
  callsAsContent: ({ content, toolCalls = [] }) =>
    content +
    granite
      .write(toolCalls)
      .map(piece => piece.text)
      .join(''),
  mend: text =>
    text
      .replace(" Today's Date: 26 Jul 2024.", '')
      .replace("Today's Date: 01 Feb 2026.", "Today's Date: February 01, 2026."),
};
