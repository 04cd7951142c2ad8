/** Every format is told from all others by its own renderings of the probes, and from renderings that differ in one part. */
import { describe, expect, test } from 'vitest';
import type { Render } from '../../src/detection/parts.ts';
import { words } from '../../src/detection/probes.ts';
import { recognise } from '../../src/detection/recognise.ts';
import { renderFormat } from '../../src/detection/render.ts';
import { formats } from '../../src/format.ts';

/** As the format renders it, but for what is changed. */
const changed =
  (render: Render, change: (text: string, withTools: boolean) => string): Render =>
  probe => {
    const rendering = render(probe);
    return 'failure' in rendering ? rendering : { text: change(rendering.text, probe.tools.length > 0) };
  };

describe.each(formats)('$name', ({ name, template }) => {
  const own = renderFormat(template);
  const found = (change: (text: string, withTools: boolean) => string) => recognise(changed(own, change));

  test('is found by what it renders itself', () => {
    expect(recognise(own)).toMatchObject({ format: { name } });
  });

  test('is found where the system text and the tools’ description are others', () => {
    const { format } = found((text, withTools) =>
      withTools ? text.replace('A probe.', 'Another description.') : text,
    );
    expect(format?.name).toBe(name);
  });

  test.each<[string, RegExp, (text: string, withTools: boolean) => string]>([
    [
      'turns',
      /turns in a way that no format here knows/,
      text => text.replace(words.again, `¤${words.again}`),
    ],
    [
      'calls',
      /but calls in a way that no format here knows/,
      (text, withTools) => (withTools ? text.replace(words.argument, `¤${words.argument}`) : text),
    ],
    [
      'results',
      /but results in a way that no format here knows/,
      (text, withTools) => (withTools ? text.replace(words.result, `¤${words.result}`) : text),
    ],
    ['replies', /but opens replies in a way that no format here knows/, text => `${text}¤`],
  ])('is not taken for one whose %s are others', (_, reason, change) => {
    const detection = found(change);
    expect(detection.format).toBeUndefined();
    expect(detection.reason).toMatch(reason);
    if (!/turns in a way/.test(detection.reason)) expect(detection.reason).toMatch(/ as .* do(es)?, but/);
  });

  test('a template that raises on tools is not one that writes calls', () => {
    const refused: Render = probe =>
      probe.tools.length > 0 ? { failure: 'no tools', refused: true } : own(probe);
    const { format } = recognise(refused);
    expect([undefined, 'hermes']).toContain(format?.name);
  });
});

test('turns and replies alone tell a format only where nobody else writes calls in such turns', () => {
  const unrenderable = (name: string): Render => {
    const own = renderFormat(formats.find(one => one.name === name)!.template);
    return probe => (probe.tools.length > 0 ? { failure: 'no such filter', refused: false } : own(probe));
  };
  expect(recognise(unrenderable('kimi-k2')).format?.name).toBe('kimi-k2');
  expect(recognise(unrenderable('kimi-k2-thinking')).format?.name).toBe('kimi-k2-thinking');
  const chatml = recognise(unrenderable('qwen3.5'));
  expect(chatml.format).toBeUndefined();
  expect(chatml.reason).toMatch(/cannot be rendered here with a tool/);
});
