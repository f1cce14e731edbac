import { readMembershipOffer } from '../../data/membership/offer.ts';
import { readOffer } from '../../data/prices/offer.ts';
import type { ItemRefusal } from '../../domain/baskets/item-refusal.ts';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { isOfferInCatalogue, type Offer } from '../../domain/baskets/offer.ts';
import type { NextTerm } from '../../domain/members/next-term.ts';
import { offerForFan } from './offer-for-fan.ts';
import type { SaleContext } from './sale-context.ts';

/** What a request adds to a basket. An id that cannot be one is undefined, and names nothing. That there is nothing to add is reported after what is wrong with the basket. */
export type OfferedItem =
  | { readonly kind: 'ticket'; readonly offer: Offer }
  | { readonly kind: 'membership'; readonly offer: MembershipOffer; readonly nextTerm?: NextTerm }
  | { readonly kind: 'none'; readonly refusal: ItemRefusal };

export async function readTicketItem(context: SaleContext, priceId: number | undefined): Promise<OfferedItem> {
  const offer = await readShownOffer(context, priceId);
  return offer === undefined ? nothing({ reason: 'price_unknown' }) : { kind: 'ticket', offer };
}

/** The offer of a price as the fan may buy it; undefined if the caller must not see it. */
export async function readShownOffer(context: SaleContext, priceId: number | undefined): Promise<Offer | undefined> {
  const { table, orgId, isPublic } = context;
  const offer = priceId === undefined ? undefined : await readOffer(table, orgId, priceId);
  const isShown = offer !== undefined && (!isPublic || isOfferInCatalogue(offer));
  return isShown ? offerForFan(context, offer) : undefined;
}

export async function readMembershipItem(context: SaleContext, typeId: number | undefined): Promise<OfferedItem> {
  const offer = await readShownType(context, typeId);
  return offer === undefined ? nothing({ reason: 'type_unknown' }) : { kind: 'membership', offer };
}

export async function readShownType(
  { table, orgId, isPublic }: SaleContext,
  typeId: number | undefined,
): Promise<MembershipOffer | undefined> {
  const offer = typeId === undefined ? undefined : await readMembershipOffer(table, orgId, typeId);
  return offer !== undefined && (!isPublic || offer.isInCatalogue) ? offer : undefined;
}

export function nothing(refusal: ItemRefusal): OfferedItem {
  return { kind: 'none', refusal };
}
