import { type GivenAddress, giveInvoiceAddress } from '../../domain/orders/give-invoice-address.ts';
import type { InvoiceAddress } from '../../domain/orders/invoice-address.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { journalItems } from '../journal/journal-items.ts';
import { personHash } from '../table/hash-key.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { orderChangePuts } from './change-puts.ts';
import { readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

interface SetAddress {
  readonly ref: OrderRef;
  readonly address: InvoiceAddress;
  readonly nowMs: () => number;
  /** Throws if the caller may not change the order as it is now. */
  readonly check: (order: OrderRecord) => void;
}

/**
 * Gives an order its invoice address. One transaction writes the order and the entry that replaces its receipt, on the condition
 * that the order has not changed since it was read: of two addresses one is set, and nothing is refunded in between.
 */
export function setInvoiceAddress(
  table: Table,
  orgId: string,
  { ref, address, nowMs, check }: SetAddress,
): Promise<GivenAddress> {
  return retryRaces('order', async () => {
    const [before, hash] = await Promise.all([readOrderAt(table, orgId, ref), personHash(table)]);
    check(before.order);
    const atMs = nowMs();
    const given = giveInvoiceAddress(before.order, address, Math.floor(atMs / 1000));
    if (given.outcome !== 'given') return given;
    const { order } = given;
    const after = { ...before, order };
    const refusals = await transact(table, [
      ...orderChangePuts(table, orgId, { before, after, hash }),
      ...journalItems(table, orgId, { moved: 'invoice_address', order }, atMs),
    ]);
    return refusals.length === 0 ? given : undefined;
  });
}
