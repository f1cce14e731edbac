import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { planPut, readPlan } from '../../data/plans/plans.ts';
import { SideEffectsRefused, type TransactItem } from '../../data/table/transact.ts';
import type { Basket, BasketPayment, BasketRefund, ChargeReference } from '../../domain/baskets/basket.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { chargeOwnerOfBasket, chargeOwnerOfPlan, refundKey } from '../../domain/payments/charge-key.ts';
import type { PlanRecord } from '../../domain/plans/plan.ts';
import { cancelOpen } from '../../domain/plans/refund.ts';
import type { CheckoutDeps } from '../deps.ts';

type TableDeps = Pick<CheckoutDeps, 'table' | 'orgId'>;

/** The plans by which memberships of an order are paid. */
export async function plansOfOrder(
  { table, orgId }: TableDeps,
  { memberships }: Pick<OrderWithTickets, 'memberships'>,
): Promise<readonly PlanRecord[]> {
  const ids = new Set(memberships.flatMap(({ planId }) => planId ?? []));
  const plans = await Promise.all([...ids].map((planId) => readPlan(table, orgId, planId)));
  return plans.filter((plan) => plan !== undefined);
}

/** The writes that cancel what is not paid of plans, for the transaction that records the refund of their memberships. */
export function cancelledPlanPuts({ table, orgId }: TableDeps, plans: readonly PlanRecord[]): readonly TransactItem[] {
  return plans.map((plan) => planPut(table, orgId, plan, { ...cancelOpen(plan), version: plan.version + 1 }));
}

/** Undefined if a plan or a member has changed since it was read: then the refund is planned again. */
export async function beginOnce<Result>(
  { table, orgId }: TableDeps,
  { plans, members = [] }: { readonly plans: readonly PlanRecord[]; readonly members?: readonly MemberRecord[] },
  begin: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof SideEffectsRefused)) throw error;
    const current = await Promise.all([
      ...plans.map(({ planId }) => readPlan(table, orgId, planId)),
      ...members.map(({ memberId }) => readMember(table, orgId, memberId)),
    ]);
    const read = [...plans, ...members];
    if (current.every((one, index) => one?.version === read[index]?.version)) throw error;
    return undefined;
  }
}

export interface RefundedCharge {
  readonly charge: ChargeReference;
  /** The instalment that the charge paid; undefined for the payment of the order. */
  readonly share?: { readonly planId: number; readonly number: number };
  /** The provider recognises a repeat by it. */
  readonly key: string;
  readonly amountMinor: number;
}

/**
 * What is refunded of each charge, newest first, until the amount is reached: the rest is kept. The plans of the refund are
 * closed, so a repeat finds the same.
 */
export async function refundedCharges(
  deps: TableDeps,
  basket: Basket,
  payment: BasketPayment,
  { number, amountMinor, elsewhereMinor = 0, memberIds }: BasketRefund,
): Promise<readonly RefundedCharge[]> {
  const { table, orgId } = deps;
  const placed = memberIds.length === 0 ? undefined : await readOrderWithTickets(table, orgId, basket.basketId);
  const plans = placed === undefined ? [] : await plansOfOrder(deps, placed);
  const charged = plans
    .filter((plan) => plan.memberIds.some((memberId) => memberIds.includes(memberId)))
    .flatMap((plan) => plan.instalments.map((instalment) => ({ plan, instalment })))
    .sort((one, other) => (other.instalment.paidUnix ?? 0) - (one.instalment.paidUnix ?? 0))
    .flatMap(({ plan, instalment }): RefundedCharge[] =>
      instalment.charge === null || instalment.status !== 'paid'
        ? []
        : [
            {
              charge: instalment.charge,
              share: { planId: plan.planId, number: instalment.number },
              key: `${refundKey(chargeOwnerOfPlan(plan), number)}-${instalment.number}`,
              amountMinor: instalment.amountMinor,
            },
          ],
    );
  const parts: RefundedCharge[] = [];
  let leftMinor = amountMinor - elsewhereMinor;
  for (const part of charged) {
    const partMinor = Math.min(part.amountMinor, leftMinor);
    leftMinor -= partMinor;
    parts.push({ ...part, amountMinor: partMinor });
  }
  const ofPayment = { charge: payment, key: refundKey(chargeOwnerOfBasket(basket), number), amountMinor: leftMinor };
  return [...parts, ofPayment].filter((part) => part.amountMinor > 0);
}
