import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import { derivedPriceCategoryId } from '../table/derived-id.ts';
import { retryRaces } from '../table/retry.ts';
import { carried } from '../table/row.ts';
import { type SaveOptions, saveDefaults, type VersionChanged, versionChanged } from '../table/save-options.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';
import { readPriceCategory } from './read.ts';
import { categoryItem } from './row.ts';

export type PriceCategoryDraft = Omit<PriceCategoryRecord, 'categoryId' | 'version'>;

export type SavedPriceCategory =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly category: PriceCategoryRecord }
  | VersionChanged;

/** Creates the category with this code in its event, or changes it. Saving the same values again writes nothing. */
export function savePriceCategory(
  table: Table,
  orgId: string,
  draft: PriceCategoryDraft,
  options: SaveOptions<{ readonly after: PriceCategoryRecord }> = {},
): Promise<SavedPriceCategory> {
  const { tried, expected, sideEffects } = saveDefaults(options);
  const categoryId = derivedPriceCategoryId(orgId, draft.eventId, draft.code);
  return retryRaces('price category', async (): Promise<SavedPriceCategory | undefined> => {
    const before = await readPriceCategory(table, orgId, draft.eventId, categoryId);
    const conflict = versionChanged(before, expected);
    if (conflict !== undefined) return conflict;
    const same = { ...carried(before), ...draft, categoryId, version: before?.version ?? 0 };
    if (before !== undefined && isSameRecord(before, same)) return { outcome: 'unchanged', category: before };
    const category = { ...same, version: same.version + 1 };
    const outcome = before === undefined ? 'created' : 'updated';
    const Put = { TableName: table.name, Item: categoryItem(orgId, category), ...unchangedSince(before) };
    const refused = await tried.send(outcome, () => transact(table, [{ Put }], sideEffects({ after: category })));
    // If it is refused, another writer changed the category after it was read.
    return refused.length > 0 ? undefined : { outcome, category };
  });
}
