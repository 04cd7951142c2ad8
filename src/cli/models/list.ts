/** `rawcall models list`: what the catalog has. */
import { readCatalog } from '../../catalog/catalog.ts';
import { jsonLine } from '../../json.ts';
import { exitCodes } from '../exit.ts';
import { writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';

export async function listModels({ values }: Context): Promise<number> {
  const { models } = await readCatalog(values.catalog ?? catalogFile);
  if (values.json) for (const model of models) await writeOut(`${jsonLine(model)}\n`);
  else
    await writeOut(
      textTable(
        ['model', 'licence'],
        models.map(({ name, licence }) => [name, licence.name]),
      ),
    );
  return exitCodes.answered;
}
