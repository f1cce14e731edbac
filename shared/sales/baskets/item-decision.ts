import { readCampaign } from '../../data/codes/campaigns.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { addMembership, addToBasket, type Decision, refused } from '../../domain/baskets/changes.ts';
import { needsCode } from '../../domain/baskets/code-adjustments.ts';
import type { GivenHolder } from '../../domain/baskets/holders.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { OfferedItem } from './offered-item.ts';
import type { SaleContext } from './sale-context.ts';
import { decideSeats, noWishes } from './seat-decision.ts';

interface AddedItem {
  readonly quantity: number;
  readonly holders: readonly GivenHolder[];
}

/** Adds tickets, numbered seats or memberships to a basket, whichever the item is. */
export async function decideItem(
  context: SaleContext,
  basket: Basket,
  item: OfferedItem,
  { quantity, holders }: AddedItem,
): Promise<Decision> {
  if (item.kind === 'none') return refused(basket, item.refusal);
  if (context.isPublic && basket.longHold !== null) return refused(basket, { reason: 'long_hold' });
  if (item.kind === 'ticket') {
    if (item.offer.event.seatingMapId === null) return addTickets(context, basket, item.offer, { quantity, holders });
    return decideSeats(context, basket, [{ offer: item.offer, seats: null, quantity, holders }], noWishes);
  }
  const { offer, nextTerm } = item;
  // The members of a renewal are known.
  const added = nextTerm === undefined ? { quantity, holders } : { quantity, nextTerm };
  return addMembership(basket, offer, added, unixSeconds(context.clock));
}

/** Adds tickets, with the reduction of the basket's code. To the public, a price that needs another code looks like a missing one. */
async function addTickets(context: SaleContext, basket: Basket, offer: Offer, added: AddedItem): Promise<Decision> {
  const { table, orgId, isPublic } = context;
  if (isPublic && needsCode(basket, offer)) return refused(basket, { reason: 'price_unknown' });
  const campaign = basket.code === null ? undefined : await readCampaign(table, orgId, basket.code.campaignId);
  return addToBasket(basket, offer, { ...added, campaign }, unixSeconds(context.clock));
}
