import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import { readPriceCategory } from '../prices/read.ts';
import { categoryItem } from '../prices/row.ts';
import { derivedPriceCategoryId } from '../table/derived-id.ts';
import { isConditionFailure } from '../table/failures.ts';
import { retryRaces } from '../table/retry.ts';
import { carried } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';

export type PriceCategoryDraft = Omit<PriceCategoryRecord, 'categoryId' | 'version'>;

export interface SavedPriceCategory {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly category: PriceCategoryRecord;
}

/** Creates the category with this code in its event, or changes it. Saving the same values again writes nothing. */
export function savePriceCategory(
  table: Table,
  orgId: string,
  draft: PriceCategoryDraft,
  tried = new TriedWrites(),
): Promise<SavedPriceCategory> {
  const categoryId = derivedPriceCategoryId(orgId, draft.eventId, draft.code);
  return retryRaces('price category', async () => {
    const before = await readPriceCategory(table, orgId, draft.eventId, categoryId);
    const same = { ...carried(before), ...draft, categoryId, version: before?.version ?? 0 };
    if (before !== undefined && isSameRecord(before, same)) return { outcome: 'unchanged', category: before };
    const category = { ...same, version: same.version + 1 };
    const outcome = before === undefined ? 'created' : 'updated';
    const put = new PutCommand({
      TableName: table.name,
      Item: categoryItem(orgId, category),
      ...unchangedSince(before),
    });
    try {
      await tried.send(outcome, () => table.client.send(put));
      return { outcome, category };
    } catch (error) {
      // Another writer changed the category after it was read.
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  });
}
