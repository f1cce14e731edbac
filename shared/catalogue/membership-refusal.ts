import type { MembershipConfig } from '../data/membership/config.ts';
import type { CategoryRecord, TypeRecord } from '../data/membership/config-rows.ts';
import { fromThousandths } from '../domain/money.ts';
import { canBeCharged } from '../domain/prices/amounts.ts';

/** What is wrong with a membership type: the field that names something missing, or that contradicts another one. */
export type TypeRefusal =
  | 'membership_category_id'
  | 'renews_as_membership_type_id'
  | 'membership_payment_option_ids'
  /** It cannot be charged in the currency. */
  | 'price'
  /** The sale would end before it begins. */
  | 'available_from_unix';

/** The checks of every way to save a membership type. It may renew as itself, also when it is new. */
export function typeRefusal(
  type: Omit<TypeRecord, 'version' | 'metadata'>,
  { categories, types, paymentOptions }: MembershipConfig,
): TypeRefusal | undefined {
  const { typeId, renewsAsTypeId, currency, priceThousandths } = type;
  if (!categories.has(type.categoryId)) return 'membership_category_id';
  if (renewsAsTypeId !== null && renewsAsTypeId !== typeId && !types.has(renewsAsTypeId)) {
    return 'renews_as_membership_type_id';
  }
  if (type.paymentOptionCodes?.some((code) => !paymentOptions.has(code))) return 'membership_payment_option_ids';
  if (!hasKnownPrice(type, types) && currency !== null && !canBeCharged(fromThousandths(priceThousandths), currency)) {
    return 'price';
  }
  const { availableFromUnix: from, availableUntilUnix: until } = type;
  return from !== null && until !== null && from >= until ? 'available_from_unix' : undefined;
}

/** A price that was entered before stays, so that its type can be changed and taken off sale. */
function hasKnownPrice(
  { typeId, priceThousandths, currency }: Omit<TypeRecord, 'version' | 'metadata'>,
  types: MembershipConfig['types'],
): boolean {
  const before = types.get(typeId);
  return before?.priceThousandths === priceThousandths && before.currency === currency;
}

export type CategoryRefusal = 'membership_seat_map_id';

/** The checks of every way to save a membership category. */
export function categoryRefusal(
  { seatMapId }: Omit<CategoryRecord, 'version' | 'metadata'>,
  { seatMaps }: MembershipConfig,
): CategoryRefusal | undefined {
  return seatMapId === null || seatMaps.has(seatMapId) ? undefined : 'membership_seat_map_id';
}
