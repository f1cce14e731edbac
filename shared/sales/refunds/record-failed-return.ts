import { basketPut } from '../../data/baskets/baskets.ts';
import { journalItems } from '../../data/journal/journal-items.ts';
import { memberWrites } from '../../data/members/change.ts';
import { orderCheck } from '../../data/orders/change-tickets.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { planHintPuts, planPut, readPlan } from '../../data/plans/plans.ts';
import { transact } from '../../data/table/transact.ts';
import type { Basket, BasketRefund } from '../../domain/baskets/basket.ts';
import { pendingRefund } from '../../domain/baskets/refunds.ts';
import type { FailedReturn } from '../../domain/journal/money-moves.ts';
import type { FailedCharge, ReturnedShare } from '../../domain/orders/refund.ts';
import { isSettled } from '../../domain/plans/plan.ts';
import { payReturned } from '../../domain/plans/refund.ts';
import { memberUpdated } from '../../mappers/member-events.ts';
import { orderRefunded } from '../../mappers/order-events.ts';
import { instalmentEvent } from '../../mappers/payment-plan.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { Fault } from '../../platform/fault.ts';
import { memberChanges, waitingRenewals } from '../checkout/members-of-plan.ts';
import type { CheckoutDeps } from '../deps.ts';
import { readOrderContext } from './cancel-or-refund-tickets.ts';

interface FailedShare {
  readonly basket: Basket;
  /** The basket with the failure. */
  readonly recorded: Basket;
  readonly refund: BasketRefund;
  readonly share: ReturnedShare;
  readonly failed: FailedCharge;
}

/**
 * Records that a share was not returned that a refused refund made owed again: it is paid again as it was. If it is not owed any more, the
 * organisation has the money once too often, and returns it itself. Undefined if something has changed meanwhile.
 */
export async function recordFailedReturn(
  deps: CheckoutDeps,
  { basket, recorded, refund, share, failed }: FailedShare,
): Promise<'ended' | undefined> {
  const { table, orgId, clock } = deps;
  const { basketId } = basket;
  const [placed, before] = await Promise.all([
    readOrderWithTickets(table, orgId, basketId),
    readPlan(table, orgId, share.planId),
  ]);
  if (placed === undefined || before === undefined)
    throw new Fault(`The order ${basketId} has no plan ${share.planId}.`);
  // Both may pay or cancel the share. The provider sends an event again that is not acknowledged.
  if (pendingRefund(basket) !== undefined) throw new Fault(`A refund of the order ${basketId} is still pending.`);
  if (!isSettled(before)) throw new Fault(`An instalment of the plan ${share.planId} is being charged.`);
  const paid = payReturned(before, share);
  const after = { ...paid, version: before.version + 1 };
  const isPaidAgain = paid !== before;
  const changes = isPaidAgain ? await memberChanges(deps, after) : [];
  const context = await readOrderContext(deps, placed.order);
  const nowMs = clock.nowMs();
  const cause = { nowMs, requestId: refund.requestId ?? undefined };
  const move: FailedReturn = {
    moved: 'failed_return',
    order: placed.order,
    amountMinor: failed.amountMinor,
    account: isPaidAgain ? 'receivable' : 'other',
  };
  const shown = recorded.refunds.find(({ number }) => number === refund.number) ?? refund;
  const events = [
    orderRefunded(orgId, placed, shown, context),
    ...(isPaidAgain ? after.instalments.filter(({ number }) => number === share.number) : []).map((one) =>
      instalmentEvent(after, one),
    ),
    ...changes.filter((one) => one.before?.statusId !== one.after.statusId).map((one) => memberUpdated(one.after)),
  ];
  const refusals = await transact(
    table,
    [
      basketPut(table, orgId, basket, { ...recorded, version: basket.version + 1 }),
      // The buyer may have been erased since the order was read, and the event must not contain the person.
      orderCheck(table, orgId, placed.order),
      planPut(table, orgId, before, after),
      ...planHintPuts(table, orgId, after),
      ...memberWrites(table, orgId, changes),
      ...waitingRenewals(deps, after, changes),
      ...journalItems(table, orgId, move, nowMs),
    ],
    events.flatMap((event) => outboxItems(table, orgId, event, cause)),
  );
  return refusals.length === 0 ? 'ended' : undefined;
}
