/** Finds lines in notes: those with the whole query, or, where there are none, those of notes that have all its words. */
import type { Notes } from './vault-notes.ts';

const maxHits = 50;
const maxLine = 300;

export async function searchNotes(notes: Notes, query: string): Promise<string> {
  const phrase = query.trim().toLowerCase();
  const words = [...new Set(phrase.split(/\s+/))];
  const exact: string[] = [];
  const loose: string[] = [];
  for (const uri of await notes.list()) {
    if (exact.length > maxHits) break;
    // A note that was there a moment ago may be gone.
    const text = await notes.read(uri).catch(() => '');
    const whole = `${uri}\n${text}`.toLowerCase();
    if (!words.every(word => whole.includes(word))) continue;
    const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
    const having = (test: (line: string) => boolean) => lines.filter(line => test(line.toLowerCase()));
    exact.push(...having(line => line.includes(phrase)).map(line => hit(uri, line)));
    const some = having(line => words.some(word => line.includes(word)));
    // Words that stand in the note's name alone: its first line tells what it is.
    loose.push(...(some.length > 0 ? some : lines.slice(0, 1)).map(line => hit(uri, line)));
  }
  const hits = exact.length > 0 ? exact : loose;
  if (hits.length === 0) return `No note contains "${query.trim()}".`;
  return [...hits.slice(0, maxHits), ...(hits.length > maxHits ? ['(and more)'] : [])].join('\n');
}

function hit(uri: string, line: string): string {
  const text = line.trim();
  return `${uri}: ${text.length > maxLine ? `${text.slice(0, maxLine).toWellFormed()}…` : text}`;
}
