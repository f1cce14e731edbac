import { changeBasket } from '../data/baskets/baskets.ts';
import { journalPuts } from '../data/journal/journal.ts';
import { readOrder } from '../data/orders/read.ts';
import { type DisputeMove, recordDisputeMove } from '../domain/baskets/disputes.ts';
import { disputeEntry } from '../domain/journal/entry.ts';
import type { DisputedPayment } from './announce-dispute.ts';
import type { CheckoutDeps } from './deps.ts';

/** Enters into the journal, once, that a bank has withdrawn the money of a disputed payment or has returned it. */
export async function recordDisputedMoney(
  { table, clock }: Pick<CheckoutDeps, 'table' | 'clock'>,
  { orgId, basketId, account, chargeId, dispute }: DisputedPayment,
  move: DisputeMove,
): Promise<void> {
  const order = await readOrder(table, orgId, basketId);
  if (order === undefined) return;
  await changeBasket(
    table,
    { orgId, basketId, decide: (basket) => recordDisputeMove(basket, { ...dispute, chargeId, account }, move) },
    () => journalPuts(table, orgId, disputeEntry(order, move, dispute.amountMinor), clock.nowMs()),
  );
}
