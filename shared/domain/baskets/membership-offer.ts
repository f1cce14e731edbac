import type { NextTerm } from '../members/next-term.ts';
import { proRataMinor } from '../members/pro-rata.ts';
import { minorUnits } from '../money.ts';
import type { LinePayments } from '../plans/schedule.ts';
import type { SalesChannel } from './basket.ts';
import type { LineItem } from './line-item.ts';

/** What a basket needs to know of a membership type. */
export interface SoldType {
  readonly typeId: number;
  readonly title: string;
  readonly categoryId: number;
  /** In major units of the currency. */
  readonly price: number;
  /** Null: the type is not sold. */
  readonly currency: string | null;
  readonly taxRate: number | null;
  readonly persons: number;
  readonly isActive: boolean;
  readonly showOnline: boolean;
  readonly availableFromUnix: number | null;
  readonly availableUntilUnix: number | null;
  /** Null: a term lasts until the type expires. */
  readonly termMonths: number | null;
  readonly expiresUnix: number | null;
  readonly proRata: 'none' | 'month';
  /** The type of the next term; null: the same type, if it has `termMonths`. */
  readonly renewsAsTypeId: number | null;
}

export interface MembershipOffer {
  readonly type: SoldType;
  readonly categoryTitle: string;
  /** The slices of the type's stock; null if the type has no capacity, so that nothing is taken from one. */
  readonly stockSlices: number | null;
  readonly payments?: LinePayments | null | undefined;
}

export type TypeOffSale = 'inactive' | 'not_sold_online' | 'no_currency' | 'not_yet' | 'no_longer' | 'expired';

/** Returns why a type cannot be added to a basket of a channel now; undefined if it can. The counter sells every type that is on sale. */
export function typeOffSaleReason(type: SoldType, channel: SalesChannel, nowUnix: number): TypeOffSale | undefined {
  const { availableFromUnix: from, availableUntilUnix: until, termMonths, expiresUnix } = type;
  if (!type.isActive) return 'inactive';
  if (channel === 'online' && !type.showOnline) return 'not_sold_online';
  if (type.currency === null || priceMinorOf(type) === undefined) return 'no_currency';
  if (from !== null && nowUnix < from) return 'not_yet';
  if (until !== null && nowUnix >= until) return 'no_longer';
  return termMonths === null && expiresUnix !== null && nowUnix >= expiresUnix ? 'expired' : undefined;
}

/** Undefined if the currency has fewer decimals than the price. */
function priceMinorOf({ price, currency }: SoldType): number | undefined {
  return currency === null ? undefined : minorUnits(price, currency);
}

/** A line of the offer, with the price as it is now. What it takes from the capacity follows from it. */
export function membershipLineOf(
  { type, categoryTitle, stockSlices, payments }: MembershipOffer,
  {
    lineId,
    nextTerm,
    nowUnix,
  }: { readonly lineId: number; readonly nextTerm: NextTerm | null; readonly nowUnix: number },
): LineItem {
  const faceMinor = priceMinorOf(type) ?? 0;
  // The people of a line have the same end, unless an import says otherwise.
  const endUnix = nextTerm?.change === 'renews' ? (nextTerm.members[0]?.expiresUnix ?? 0) : 0;
  const reductions = [
    {
      reason: 'pro_rata',
      amountMinor: proRataMinor(
        type,
        { priceMinor: faceMinor, currency: type.currency ?? '' },
        { fromUnix: Math.max(nowUnix, endUnix), timezone: payments?.timezone ?? 'UTC' },
      ),
    },
    { reason: 'replaced_term', amountMinor: nextTerm?.creditMinor ?? 0 },
  ];
  return {
    lineId,
    kind: 'membership',
    priceId: null,
    priceIndex: 0,
    soldTypeId: type.typeId,
    title: type.title,
    categoryId: type.categoryId,
    categoryTitle,
    quantity: 1,
    ticketsIncluded: nextTerm?.members.length ?? type.persons,
    holders: [],
    seats: [],
    neededSeats: [],
    adjustments: reductions.filter(({ amountMinor }) => amountMinor > 0).map((one) => ({ ...one, source: null })),
    faceMinor,
    rebateMinor: 0,
    serviceFeeMinor: 0,
    serviceTaxMinor: 0,
    taxRate: type.taxRate,
    membershipTypeId: null,
    maxPerMember: null,
    holderNames: 'optional',
    availableUntilUnix: type.availableUntilUnix,
    stockSlices: stockSlices ?? 1,
    pool: null,
    ownStock: stockSlices !== null,
    nextTerm,
    payments: payments ?? null,
  };
}
