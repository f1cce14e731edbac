import { newBasket } from '../baskets/basket.ts';
import { addMembership } from '../baskets/changes.ts';
import type { MembershipOffer } from '../baskets/membership-offer.ts';
import { basketAmounts } from '../baskets/money.ts';
import type { NextTerm } from '../members/next-term.ts';
import { monthsLater } from '../members/term.ts';
import { paymentOptions } from '../plans/payment-choice.ts';
import { timeOfDay } from '../plans/schedule.ts';
import type { EndingTerm, RenewalQuote } from './renewal.ts';

/** What a renewal would cost now: the basket is the quote. Null if the type is not on sale, or not with this payment option. */
export function quoteRenewal(
  { offer, nextTerm }: { readonly offer: MembershipOffer; readonly nextTerm: NextTerm },
  optionId: string | null,
  nowUnix: number,
): RenewalQuote | null {
  const added = addMembership(newBasket(0, nowUnix), offer, { quantity: 1, nextTerm }, nowUnix);
  const currency = added.basket.currency;
  if (added.outcome !== 'changed' || currency === null) return null;
  const priceMinor = basketAmounts(added.basket.lines).totalMinor;
  const option = paymentOptions(added.basket, nowUnix).find((one) => one.optionId === optionId);
  if (optionId !== null && option === undefined) return null;
  return { typeId: offer.type.typeId, amountMinor: option?.dueNowMinor ?? priceMinor, priceMinor, currency };
}

/** A term is renewed on its last local day. */
export function endingTerm(expiresUnix: number, timezone: string, seed: number): EndingTerm {
  const lastDayUnix = timeOfDay(monthsLater(expiresUnix - 1, 0, timezone), seed);
  return { expiresUnix, lastDayUnix: Math.min(lastDayUnix, expiresUnix - 1) };
}
