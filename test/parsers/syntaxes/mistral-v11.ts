import { mistralV11 } from '../../../parsers/mistral.ts';
import { mistralCallId } from '../../../parsers/mistral-id.ts';
import type { SyntaxUnderTest } from '../syntax.ts';
import { syntax as mistral } from './mistral.ts';

export const syntax: SyntaxUnderTest = {
  ...mistral,
  name: 'mistral-v11',
  parser: mistralV11,
  asRead: call => ({ ...call, id: mistralCallId(call), writtenId: mistralCallId(call) }),
};
