import { readPriceCategory } from '../data/prices/read.ts';
import {
  type PriceCategoryDraft,
  type SavedPriceCategory,
  savePriceCategory,
} from '../data/prices/save-price-category.ts';
import { retryRaces } from '../data/table/retry.ts';
import type { Table } from '../data/table/table.ts';
import type { PriceCategoryRecord } from '../domain/prices/price.ts';

export type PriceCategoryValues = Pick<PriceCategoryDraft, 'title' | 'status' | 'orderBy' | 'zone'>;

/** Changes the given fields of a price category, as `updatePrice` does those of a price. */
export function updatePriceCategory(
  table: Table,
  orgId: string,
  { eventId, categoryId }: Pick<PriceCategoryRecord, 'eventId' | 'categoryId'>,
  { change, ifMatch }: { readonly change: Partial<PriceCategoryValues>; readonly ifMatch: number | undefined },
): Promise<SavedPriceCategory | { readonly outcome: 'category_missing' }> {
  return retryRaces('price category', async () => {
    const before = await readPriceCategory(table, orgId, eventId, categoryId);
    if (before === undefined) return { outcome: 'category_missing' };
    const { code, title, status, orderBy, zone, version } = before;
    if (ifMatch !== undefined && ifMatch !== version) return { outcome: 'version_changed', version };
    const draft = { eventId, code, title, status, orderBy, zone, ...change };
    const saved = await savePriceCategory(table, orgId, draft, { expected: version });
    return saved.outcome === 'version_changed' ? undefined : saved;
  });
}
