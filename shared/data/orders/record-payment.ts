import { type NewPayment, type PaidInvoice, payInvoice } from '../../domain/orders/pay-invoice.ts';
import { journalItems } from '../journal/journal-items.ts';
import { personHash } from '../table/hash-key.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, transact } from '../table/transact.ts';
import { orderChangePuts } from './change-puts.ts';
import { ticketUpdate } from './change-tickets.ts';
import { readOrderAt } from './read.ts';
import type { OrderRef } from './row.ts';

type Paid = Extract<PaidInvoice, { readonly outcome: 'paid' }>;

interface RecordedBy {
  readonly ref: OrderRef;
  /** What is received, with the time of this attempt. */
  readonly paymentAt: () => NewPayment;
  readonly nowMs: () => number;
}

/**
 * Records what was received for an invoice. One transaction writes the order, the tickets that become valid, the entry of the
 * journal and the side effects, on the condition that the order has not changed since it was read: nothing is received twice.
 */
export function recordPayment(
  table: Table,
  orgId: string,
  { ref, paymentAt, nowMs }: RecordedBy,
  sideEffects: SideEffects<Paid>,
): Promise<PaidInvoice> {
  return retryRaces('order', async () => {
    const before = await readOrderAt(table, orgId, ref);
    const paid = payInvoice(before, paymentAt());
    if (paid.outcome === 'more_than_owed') return paid;
    const { after, changed } = paid;
    const move = { moved: 'payment', order: after.order, payment: paid.payment } as const;
    const refusals = await transact(
      table,
      [
        ...orderChangePuts(table, orgId, { before, after, hash: await personHash(table) }),
        ...changed.map((ticket) => ticketUpdate(table, orgId, ticket)),
        ...journalItems(table, orgId, move, nowMs()),
      ],
      sideEffects(paid),
    );
    return refusals.length === 0 ? paid : undefined;
  });
}
