import { type BasketRule, changeBasket } from '../../data/baskets/baskets.ts';
import type { SideEffects } from '../../data/table/transact.ts';
import { type Basket, isWaiting } from '../../domain/baskets/basket.ts';
import type { ChangedBasket } from '../../domain/baskets/changes.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { settlePayment } from '../checkout/settle.ts';
import type { CheckoutDeps } from '../deps.ts';

/**
 * Changes a basket. If its payment waits for the buyer, the payment is cancelled at the provider first, because its amount is
 * that of the basket before the change. A change that would be refused anyway does not cancel it. If the buyer has paid
 * meanwhile, the basket becomes an order, and the change is refused.
 */
export async function changeBasketEndingPayment(
  deps: CheckoutDeps,
  rule: Omit<BasketRule, 'orgId'>,
  sideEffects?: SideEffects<Basket>,
): Promise<ChangedBasket> {
  const { table, orgId, clock } = deps;
  const changed = await changeBasket(table, { ...rule, orgId }, sideEffects);
  if (changed.outcome !== 'refused' || changed.refusal.reason !== 'checking_out') return changed;
  const { basket } = changed;
  const { checkout } = basket;
  if (checkout === null || checkout.isPaid || !isWaiting(checkout, unixSeconds(clock))) return changed;
  const preview = await rule.decide({ ...basket, status: 'open', checkout: null });
  if (preview.outcome === 'refused') return { ...changed, refusal: preview.refusal };
  const settled = await settlePayment(deps, rule.basketId);
  return settled.outcome === 'unknown'
    ? changed
    : changeBasket(table, { ...rule, orgId, known: undefined }, sideEffects);
}
