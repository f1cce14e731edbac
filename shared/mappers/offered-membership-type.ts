import type { OfferedType } from '../data/membership/offer.ts';
import { membershipLineOf } from '../domain/baskets/membership-offer.ts';
import { paymentOptions } from '../domain/plans/payment-choice.ts';
import type { OfferedMembershipType } from '../operations/schemas/offered-membership-type.ts';
import { paymentOption } from './basket.ts';
import { membershipTypeResource } from './membership-config.ts';

/** The type with the ways to pay for it that a basket of it alone would show. */
export function offeredTypeResource(
  offered: OfferedType,
  { isPublic, nowUnix }: { readonly isPublic: boolean; readonly nowUnix: number },
): OfferedMembershipType {
  const { currency } = offered.type;
  const lines = [membershipLineOf(offered.offer, { lineId: 1, nextTerm: null, nowUnix })];
  const options = currency === null ? [] : paymentOptions({ basketId: 0, lines, currency }, nowUnix);
  return {
    ...membershipTypeResource(offered, { isPublic }),
    payment_options: options.map((one) => paymentOption(one, currency)),
  };
}
