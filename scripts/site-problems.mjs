/** What a site must not have that is read from a disk, without a network: anything from elsewhere, and links that lead nowhere. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Everything of a site, by file. */
export function siteProblems(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.flatMap(name => {
    const file = path.join(folder, name);
    if (!/\.(html|css|js|svg)$/.test(name) || name.startsWith('media') || !statSync(file).isFile()) return [];
    const text = readFileSync(file, 'utf8');
    const dead = name.endsWith('.html') ? deadLinks(file, text, folder) : [];
    return [...foreign(name, text), ...dead].map(problem => `${name}: ${problem}`);
  });
}

/** Where a page, a style or a script asks somebody else as soon as it is opened. A link to follow is none of that. */
export function foreign(name, text) {
  if (name.endsWith('.js')) return [...text.matchAll(asking)].map(([call]) => `asks by ${call}`);
  const loads = name.endsWith('.html') ? [...text.matchAll(loading)].flatMap(([tag]) => sources(tag)) : [];
  const styles = [...text.matchAll(/(?:url\(|@import)\s*["']?([^"')\s;]+)/g)].map(([, source]) => source);
  return [...loads, ...styles].filter(source => elsewhere.test(source)).map(source => `loads ${source}`);
}

const elsewhere = /^\s*(?:[a-z][a-z+.-]*:)?\/\//i;
const loading =
  /<(?:script|link|img|iframe|frame|source|video|audio|track|embed|object|input|image|use|base)\b[^>]*>/gi;
const asking =
  /\b(?:fetch|importScripts|sendBeacon|import)\(\s*["'`](?:https?:)?\/\/|new (?:WebSocket|EventSource|XMLHttpRequest)\b/g;

function sources(tag) {
  if (/^<link\b/i.test(tag) && /\brel="canonical"/i.test(tag)) return [];
  return [...tag.matchAll(/\b(?:src|href|srcset|data|poster|xlink:href)\s*=\s*["']([^"']*)/gi)].flatMap(
    ([, value]) => value.split(',').map(one => one.trim()),
  );
}

function deadLinks(file, text, folder) {
  const links = [...text.matchAll(/<a\b[^>]*\bhref="([^"#?]+)/g)].map(([, link]) => decodeURI(link));
  const local = [...new Set(links)].filter(link => !/^[a-z][a-z+.-]*:/i.test(link) && !elsewhere.test(link));
  return local
    .filter(link => {
      const target = path.resolve(path.dirname(file), link);
      return !target.startsWith(folder) || !existsSync(target);
    })
    .map(link => `links to ${link}, which is not there`);
}
