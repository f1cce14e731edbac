import { type MetadataChange, mergeMetadata } from '../../domain/metadata.ts';
import { changedAt, type OrderWithTickets } from '../../domain/orders/order.ts';
import { personHash } from '../table/hash-key.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { orderChangePuts } from './change-puts.ts';
import { readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

interface SetMetadata {
  readonly ref: OrderRef;
  readonly change: MetadataChange;
  readonly nowUnix: number;
}

/** The order after a change of its metadata. A concurrent change of the order is not lost, and neither are its pairs. */
export function setOrderMetadata(
  table: Table,
  orgId: string,
  { ref, change, nowUnix }: SetMetadata,
): Promise<OrderWithTickets> {
  return retryRaces('order', async () => {
    const [before, hash] = await Promise.all([readOrderAt(table, orgId, ref), personHash(table)]);
    const metadata = mergeMetadata(before.order.metadata, change);
    if (metadata === before.order.metadata) return before;
    const { metadata: _, ...kept } = before.order;
    const order = changedAt({ ...kept, ...(metadata !== undefined && { metadata }) }, nowUnix);
    const after = { ...before, order };
    const refusals = await transact(table, orderChangePuts(table, orgId, { before, after, hash }));
    return refusals.length === 0 ? after : undefined;
  });
}
