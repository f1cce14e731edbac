import { readMembershipOffer } from '../../data/membership/offer.ts';
import { readOffer } from '../../data/prices/offer.ts';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { isOfferInCatalogue, type Offer } from '../../domain/baskets/offer.ts';
import { parseId } from '../../domain/ids.ts';
import type { NextTerm } from '../../domain/members/next-term.ts';
import { type Problem, problem, referenceMissing } from '../problem.ts';
import { type FanRequest, offerForFan } from './offer-for-fan.ts';

/** What a request adds to a basket. The problem of a missing price or type is reported after that of the basket. */
export type OfferedItem =
  | { readonly kind: 'ticket'; readonly offer: Offer }
  | { readonly kind: 'membership'; readonly offer: MembershipOffer; readonly nextTerm?: NextTerm }
  | { readonly kind: 'missing'; readonly problem: Problem };

interface AddedIds {
  readonly price_id: string | number | null;
  readonly membership_type_id: string | number | null;
}

/** Returns what reads the price or the membership type that a request names. Throws if it names both or neither. */
export function itemReader(
  request: FanRequest,
  { price_id, membership_type_id }: AddedIds,
): () => Promise<OfferedItem> {
  const { table, caller } = request;
  const { orgId } = caller;
  const isPublic = caller.storefront !== undefined;
  if (price_id !== null && membership_type_id !== null) {
    const message = 'Send either price_id or membership_type_id. Add each of them with a request of its own.';
    throw problem('parameter_conflict', message, { param: 'membership_type_id' });
  }
  if (membership_type_id !== null) {
    const typeId = parseId(String(membership_type_id));
    return async () => {
      const offer = typeId === undefined ? undefined : await readMembershipOffer(table, orgId, typeId);
      const isShown = offer !== undefined && (!isPublic || offer.isInCatalogue);
      return isShown ? { kind: 'membership', offer } : missing('membership type', 'membership_type_id');
    };
  }
  if (price_id === null) {
    const message = 'The parameter price_id is required, or membership_type_id for a membership.';
    throw problem('parameter_missing', message, { param: 'price_id' });
  }
  const priceId = parseId(String(price_id));
  return async () => {
    const offer = priceId === undefined ? undefined : await readOffer(table, orgId, priceId);
    const isShown = offer !== undefined && (!isPublic || isOfferInCatalogue(offer));
    return isShown ? { kind: 'ticket', offer: await offerForFan(request, offer) } : missing('price', 'price_id');
  };
}

function missing(what: string, param: string): OfferedItem {
  return { kind: 'missing', problem: referenceMissing(what, param) };
}
