/** Changes of a JSON file leave everything else as it stands, comments too. */
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { withoutValue, withValue } from '../../../src/cli/mcp/json-edit.ts';

const commented = `{
  // the model
  "model": "x.gguf", // small
  "mcpServers": {
    // sums
    "a": { "command": "x" }, // mine
    "b": { "command": "y" }, // theirs
  }
}
`;

describe('a value is put in', () => {
  test('behind its neighbours and their comments, with the comma that the file is used to', () => {
    const changed = withValue(commented, ['mcpServers', 'c'], { command: 'z' });
    const added = `    "c": {\n      "command": "z"\n    },\n`;
    expect(changed).toBe(commented.replace('// theirs\n', `// theirs\n${added}`));
  });

  test('in the place of another, whose comments stay', () => {
    const changed = withValue(commented, ['mcpServers', 'a'], { command: 'z' });
    expect(changed).toBe(commented.replace('{ "command": "x" }', '{\n      "command": "z"\n    }'));
  });

  test('with the objects on the way', () => {
    expect(withValue('', ['mcpServers', 'a'], { command: 'x' })).toBe(
      `{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n`,
    );
    expect(withValue('{ // nothing yet\n}\n', ['mcpServers', 'a'], 1)).toBe(
      '{ // nothing yet\n  "mcpServers": {\n    "a": 1\n  }\n}\n',
    );
  });

  test("in the file's own line ends and indents", () => {
    expect(withValue('{\r\n\t"model": "x"\r\n}\r\n', ['mcpServers', 'a'], 1)).toBe(
      '{\r\n\t"model": "x",\r\n\t"mcpServers": {\r\n\t\t"a": 1\r\n\t}\r\n}\r\n',
    );
  });

  test.each([
    '{}',
    '{"a":{}}',
    '{"mcpServers": {}}',
    '{"mcpServers": {"a": 1}}',
    '{"mcpServers": {"a": 1,}}',
    commented,
  ])('%s: what is read is what was put there, and the rest', text => {
    const before = parse(text, [], { allowTrailingComma: true });
    const after = parse(withValue(text, ['mcpServers', 'new "one"'], [1]), [], { allowTrailingComma: true });
    expect(after).toEqual({ ...before, mcpServers: { ...before.mcpServers, 'new "one"': [1] } });
  });
});

describe('a value is taken out', () => {
  test('with its line and the comment on it, and nothing else', () => {
    expect(withoutValue(commented, ['mcpServers', 'a'])).toBe(
      commented.replace('    "a": { "command": "x" }, // mine\n', ''),
    );
  });

  test('the last one takes the comma before it along, but where the file has one there anyhow', () => {
    expect(withoutValue('{\n  "a": 1, // one\n  "b": 2\n}', ['b'])).toBe('{\n  "a": 1 // one\n}');
    expect(withoutValue('{\n  "a": 1,\n  "b": 2,\n}', ['b'])).toBe('{\n  "a": 1,\n}');
    expect(withoutValue('{"a": 1, "b": 2}', ['a'])).toBe('{ "b": 2}');
  });

  test('what is not there changes nothing', () => {
    expect(withoutValue(commented, ['mcpServers', 'z'])).toBe(commented);
  });
});
