import { changeBasket } from '../../data/baskets/baskets.ts';
import { journalItems } from '../../data/journal/journal-items.ts';
import { readOrder } from '../../data/orders/read.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import {
  type DisputedPayment,
  type DisputeMove,
  disputeMoveName,
  recordDisputeMove,
} from '../../domain/baskets/disputes.ts';
import type { CheckoutDeps } from '../deps.ts';
import { changeDisputedPlan } from './disputed-plan.ts';

/** Enters into the journal, once, that a bank has withdrawn the money of a disputed payment or has returned it. */
export async function recordDisputedMoney(
  deps: Pick<CheckoutDeps, 'table' | 'clock'>,
  disputed: DisputedPayment,
  move: DisputeMove,
): Promise<void> {
  const { table, clock } = deps;
  const { orgId, owner, account, chargeId, dispute } = disputed;
  const entryItems = async (orderId: number): Promise<(() => readonly TransactItem[]) | undefined> => {
    const order = await readOrder(table, orgId, orderId);
    if (order === undefined) return undefined;
    const { amountMinor } = dispute;
    return () => journalItems(table, orgId, { moved: 'dispute', order, direction: move, amountMinor }, clock.nowMs());
  };
  if (owner.kind === 'instalment') {
    await changeDisputedPlan(deps, disputed, disputeMoveName(dispute, move), ({ orderId }) => entryItems(orderId));
  }
  const items = owner.kind === 'basket' ? await entryItems(owner.id) : undefined;
  if (items === undefined) return;
  await changeBasket(
    table,
    {
      orgId,
      basketId: owner.id,
      decide: (basket) => recordDisputeMove(basket, { ...dispute, chargeId, account }, move),
    },
    items,
  );
}
