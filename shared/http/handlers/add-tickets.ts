import { readCampaign } from '../../data/codes/campaigns.ts';
import type { Table } from '../../data/table/table.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { addToBasket, type Decision } from '../../domain/baskets/changes.ts';
import { needsCode } from '../../domain/baskets/code-adjustments.ts';
import type { Holder } from '../../domain/baskets/line-item.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { referenceMissing } from '../problem.ts';

interface AddedTickets {
  readonly table: Table;
  readonly orgId: string;
  readonly quantity: number;
  readonly holders: readonly Holder[];
  readonly isPublic: boolean;
  readonly nowUnix: number;
}

/** Adds tickets, with the reduction of the basket's code. To the public, a price that needs another code looks like a missing one. */
export async function addTickets(
  basket: Basket,
  offer: Offer,
  { table, orgId, quantity, holders, isPublic, nowUnix }: AddedTickets,
): Promise<Decision> {
  if (isPublic && needsCode(basket, offer)) throw referenceMissing('price', 'price_id');
  const campaign = basket.code === null ? undefined : await readCampaign(table, orgId, basket.code.campaignId);
  return addToBasket(basket, offer, { quantity, holders, campaign }, nowUnix);
}
