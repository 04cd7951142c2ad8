import fc from 'fast-check';
import { mistralV3 } from '../../../parsers/mistral.ts';
import { mistralCallId } from '../../../parsers/mistral-id.ts';
import { identifiers, type SyntaxUnderTest } from '../syntax.ts';
import { syntax as mistral } from './mistral.ts';

export const syntax: SyntaxUnderTest = {
  ...mistral,
  name: 'mistral-v3',
  parser: mistralV3,
  names: fc.oneof(identifiers, fc.string({ minLength: 1, unit: 'grapheme' })),
  // The id comes behind the arguments, when the call has one already.
  asRead: call => ({ ...call, writtenId: mistralCallId(call) }),
};
