/** What Tab offers in a chat: commands and prompts after a slash, resources and templates after an `@`. */
import type { Host } from '../../mcp/host.ts';
import type { Complete } from '../lines.ts';
import { serverAt } from './mentions.ts';
import { featuresOf } from './open.ts';
import { bareTemplate, readTemplateReference } from './template-reference.ts';

export function chatCompleter(host: Host, commands: readonly string[]): Complete {
  const servers = () => host.servers.filter(({ state }) => state === 'ready').map(({ name }) => name);

  async function prompts(line: string): Promise<string[]> {
    const names = servers();
    const server = serverAt(line, 1, names);
    if (server === undefined) return [...commands, ...names.map(name => `/${name}:`)];
    const listed = await featuresOf(host, server).prompts();
    return listed.map(({ name }) => `/${server}:${name}`);
  }

  async function resources(word: string): Promise<string[]> {
    const names = servers();
    const server = serverAt(word, 1, names);
    if (server === undefined) return names.map(name => `@${name}:`);
    const features = featuresOf(host, server);
    const { resources, templates } = await features.resources();
    const reference = word.slice(server.length + 2);
    const value = /\{[^{}]*=([^{}=]*)$/.exec(reference)?.[1];
    if (value === undefined)
      return [
        ...resources.map(({ uri }) => uri),
        ...templates.map(({ uriTemplate }) => opened(uriTemplate)),
      ].map(one => `@${server}:${one}`);

    const { uriTemplate, values } = readTemplateReference(`${reference}}`);
    const begun = bareTemplate(uriTemplate).slice(0, -1);
    const template = templates.find(one => bareTemplate(one.uriTemplate).startsWith(begun));
    const variable = Object.keys(values).at(-1);
    if (!template || variable === undefined) return [];
    const found = await features.complete({ uriTemplate: template.uriTemplate }, variable, value, values);
    const before = word.slice(0, word.length - value.length);
    return found.map(one => before + one);
  }

  return async line => {
    const word = /(?:^|\s)(@\S*)$/.exec(line)?.[1];
    const place = word ?? (/^\/\S*$/.test(line) ? line : undefined);
    if (place === undefined) return [[], line];
    const candidates = await (word === undefined ? prompts(line) : resources(word));
    return [candidates.filter(one => one.startsWith(place)), place];
  };
}

/** A template up to where the value of its first variable is to be written. */
function opened(uriTemplate: string): string {
  return uriTemplate.replace(/^([^{]*\{[+#./;?&]?[^},*:]*).*$/s, '$1=');
}
