import { basketCheck } from '../../data/baskets/baskets.ts';
import { memberPriceBought } from '../../data/scans/use.ts';
import { maxTransactionItems, type TransactItem, transact } from '../../data/table/transact.ts';
import { requiredMembershipTypes } from '../../domain/baskets/allow-buyer.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { renewedMembersIn } from '../../domain/baskets/member-limits.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';
import type { MembershipFacts } from './members-of-order.ts';
import { mostItemsOf } from './order-size.ts';

interface PaidBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
  /** The writes that create the customer, if it is new. */
  readonly writes: readonly TransactItem[];
  readonly facts: MembershipFacts;
}

/**
 * The members that there were before, whose use the transaction of the order writes down. If it has no room for all of them, a transaction of
 * their own does before it, and none are left: a fan may have any number of memberships. Undefined if the basket has changed meanwhile.
 */
export async function membersToRemember(
  { table, orgId, clock }: CheckoutDeps,
  { basket, checkout, writes, facts }: PaidBasket,
): Promise<readonly number[] | undefined> {
  const memberIds = memberPricesBought(basket, facts);
  if (mostItemsOf(basket, checkout) + writes.length + memberIds.length <= maxTransactionItems) return memberIds;
  const check = basketCheck(table, orgId, basket);
  const most = maxTransactionItems - 1;
  for (let from = 0; from < memberIds.length; from += most) {
    const uses = memberIds
      .slice(from, from + most)
      .map((memberId) => memberPriceBought(table, orgId, memberId, unixSeconds(clock)));
    if ((await transact(table, [check, ...uses])).length > 0) return undefined;
  }
  return [];
}

/** The members whose prices the order has, if a withdrawal may ask for it: those who had proved them, and those whom it renews. */
function memberPricesBought(basket: Basket, { types }: MembershipFacts): readonly number[] {
  const required = requiredMembershipTypes(basket);
  const isWithdrawable = (typeId: number): boolean => (types.get(typeId)?.type.withdrawalDays ?? 0) > 0;
  const renewed = renewedMembersIn(basket.lines).filter(
    ({ typeId }) => required.includes(typeId) && isWithdrawable(typeId),
  );
  return [...new Set([...(basket.memberPricesOf ?? []), ...renewed.map(({ memberId }) => memberId)])];
}
