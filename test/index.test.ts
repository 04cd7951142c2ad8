/** The public surface is a decision: whoever adds or drops a name changes this list. */
import { expect, test } from 'vitest';
import * as rawcall from '../src/index.ts';

test('the package exports these names and no others', () => {
  expect(Object.keys(rawcall).sort()).toEqual([
    'RawcallError',
    'approval',
    'approvalMode',
    'autoPolicy',
    'callBlock',
    'chatModel',
    'completionsEngine',
    'createAgent',
    'createEngine',
    'createHost',
    'createParser',
    'createVocabulary',
    'detectFormat',
    'directServer',
    'formatNamed',
    'formatOf',
    'formats',
    'openEndpoint',
    'openFormat',
    'parseApproval',
    'parseMcpConfig',
    'parseMessages',
    'parseTools',
    'placeSchema',
    'promptBuilder',
    'promptText',
    'rawModel',
    'readMcpConfig',
    'simplifySchema',
    'toTurns',
    'toolsInForm',
    'withSimplifiedSchemas',
  ]);
});
