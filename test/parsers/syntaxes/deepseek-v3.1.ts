import { deepseekV31 } from '../../../parsers/deepseek.ts';
import type { SyntaxUnderTest } from '../syntax.ts';
import { syntax as deepseek } from './deepseek.ts';

export const syntax: SyntaxUnderTest = { ...deepseek, name: 'deepseek-v3.1', parser: deepseekV31 };
