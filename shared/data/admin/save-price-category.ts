import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import { readPriceCategory } from '../prices/read.ts';
import { categoryItem } from '../prices/row.ts';
import { derivedPriceCategoryId } from '../table/derived-id.ts';
import { isConditionFailure } from '../table/failures.ts';
import { updateOptimistically } from '../table/optimistic-update.ts';
import type { Table } from '../table/table.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';

export type PriceCategoryDraft = Omit<PriceCategoryRecord, 'categoryId' | 'version'>;

export interface SavedPriceCategory {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly category: PriceCategoryRecord;
}

/** Creates the category with this code in its event, or changes it. Saving the same values again writes nothing. */
export function savePriceCategory(table: Table, orgId: string, draft: PriceCategoryDraft): Promise<SavedPriceCategory> {
  const categoryId = derivedPriceCategoryId(orgId, draft.eventId, draft.code);
  return updateOptimistically('price category', async () => {
    const before = await readPriceCategory(table, orgId, draft.eventId, categoryId);
    const same = { ...draft, categoryId, version: before?.version ?? 0 };
    if (before !== undefined && isSameRecord(before, same)) return { outcome: 'unchanged', category: before };
    const category = { ...same, version: same.version + 1 };
    if (!(await putCategory(table, orgId, before, category))) return undefined;
    return { outcome: before === undefined ? 'created' : 'updated', category };
  });
}

/** Returns false if another writer changed the category after it was read. */
async function putCategory(
  table: Table,
  orgId: string,
  before: PriceCategoryRecord | undefined,
  category: PriceCategoryRecord,
): Promise<boolean> {
  const Item = categoryItem(orgId, category);
  try {
    await table.client.send(new PutCommand({ TableName: table.name, Item, ...unchangedSince(before) }));
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}
