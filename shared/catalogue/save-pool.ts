import { stockOf } from '../data/prices/capacity.ts';
import { readPool } from '../data/prices/read.ts';
import { type PoolDraft, type SavedPool, savePool } from '../data/prices/save-pool.ts';
import { retryRaces } from '../data/table/retry.ts';
import type { Table } from '../data/table/table.ts';
import type { PoolRecord } from '../domain/prices/pool.ts';

export type PoolValues = Pick<PoolDraft, 'title' | 'capacity'>;

/** Changes the given fields of a pool, as `updatePrice` does those of a price. */
export function updatePool(
  table: Table,
  orgId: string,
  ref: Pick<PoolRecord, 'eventId' | 'index'>,
  { change, ifMatch }: { readonly change: Partial<PoolValues>; readonly ifMatch: number | undefined },
): Promise<SavedPool | { readonly outcome: 'pool_missing' }> {
  return retryRaces('pool', async () => {
    const [before, stock] = await Promise.all([readPool(table, orgId, ref), stockOf(table, orgId, ref)]);
    if (before === undefined) return { outcome: 'pool_missing' };
    const { eventId, code, title, version } = before;
    if (ifMatch !== undefined && ifMatch !== version) return { outcome: 'version_changed', version };
    const draft = { eventId, code, title, capacity: stock?.capacity ?? 0, ...change };
    const saved = await savePool(table, orgId, draft, { expected: version });
    return saved.outcome === 'version_changed' ? undefined : saved;
  });
}
