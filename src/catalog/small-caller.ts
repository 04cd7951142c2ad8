/** The smallest model of a catalog that calls tools because an adapter has taught it to. */
import type { Catalog, CatalogAdapter, CatalogFile, CatalogModel } from './catalog.ts';

export interface SmallCaller {
  readonly model: CatalogModel;
  readonly file: CatalogFile;
  readonly adapter: CatalogAdapter;
}

export function smallCaller({
  models,
  adapters,
}: Pick<Catalog, 'models' | 'adapters'>): SmallCaller | undefined {
  const all = models.flatMap(model =>
    model.files.flatMap(file =>
      adapters.filter(({ base }) => base === file.sha256).map(adapter => ({ model, file, adapter })),
    ),
  );
  return all.sort((left, right) => left.model.parameters - right.model.parameters)[0];
}
