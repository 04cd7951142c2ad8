import { glm47 } from '../../../parsers/glm.ts';
import type { SyntaxUnderTest } from '../syntax.ts';
import { syntax as glm } from './glm.ts';

export const syntax: SyntaxUnderTest = { ...glm, name: 'glm4.7', parser: glm47 };
