/** Writes models/catalog.schema.json, by which editors check a catalog, of the shape that rawcall itself checks it by. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { catalogJsonSchema } from '../src/catalog/json-schema.ts';

const file = path.join(import.meta.dirname, '..', 'models', 'catalog.schema.json');
writeFileSync(file, `${JSON.stringify(catalogJsonSchema(), null, 2)}\n`);
console.log(file);
