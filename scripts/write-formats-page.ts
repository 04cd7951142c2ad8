/** `npm run docs:formats` */
import { writeFileSync } from 'node:fs';
import { formatsPage, pageFile } from './formats-page.ts';

writeFileSync(pageFile, formatsPage());
