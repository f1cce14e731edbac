import type { CategoryValues, PaymentOptionValues, TypeValues } from '../catalogue/save-membership.ts';
import { given } from '../domain/given.ts';
import { toThousandths } from '../domain/money.ts';
import { unixOf } from '../domain/time/instant.ts';
import type { CreateMembershipCategoryBody } from '../operations/catalogue/create-membership-category.ts';
import type { CreateMembershipPaymentOptionBody } from '../operations/catalogue/create-membership-payment-option.ts';
import type { CreateMembershipTypeBody } from '../operations/catalogue/create-membership-type.ts';
import type { UpdateMembershipCategoryBody } from '../operations/catalogue/update-membership-category.ts';
import type { UpdateMembershipPaymentOptionBody } from '../operations/catalogue/update-membership-payment-option.ts';
import type { UpdateMembershipTypeBody } from '../operations/catalogue/update-membership-type.ts';

/** Contains only the given fields; an absent field keeps its value. The price is exact: the caller has checked it. */
export function membershipTypeChange(body: UpdateMembershipTypeBody): Partial<Omit<TypeValues, 'code'>> {
  const { price, expires } = body;
  return given({
    categoryId: body.membership_category_id,
    title: body.title,
    priceThousandths: price === undefined ? undefined : toThousandths(price),
    currency: body.currency,
    taxRate: body.tax_rate,
    capacity: body.capacity,
    availableFromUnix: body.available_from_unix,
    availableUntilUnix: body.available_until_unix,
    persons: body.persons,
    termMonths: body.term_months,
    expiresUnix: expires == null ? expires : unixOf(expires),
    renewsAsTypeId: body.renews_as_membership_type_id,
    paymentOptionCodes: body.membership_payment_option_ids,
    proRata: body.pro_rata,
    maxEntries: body.max_entries,
    graceDays: body.grace_days,
    withdrawalDays: body.withdrawal_days,
    offerAutoRenew: body.offer_auto_renew,
    showOnline: body.show_online,
    gameDayAccess: body.game_day_access,
    orderBy: body.order_by,
    status: body.status,
    metadata: body.metadata,
  });
}

export function newMembershipType({ code: _code, ...body }: CreateMembershipTypeBody, code: string): TypeValues {
  return {
    ...absentInType,
    ...membershipTypeChange(body),
    code,
    categoryId: body.membership_category_id,
    title: body.title,
    persons: body.persons,
    proRata: body.pro_rata,
    graceDays: body.grace_days,
    withdrawalDays: body.withdrawal_days,
    offerAutoRenew: body.offer_auto_renew,
    showOnline: body.show_online,
    gameDayAccess: body.game_day_access,
    orderBy: body.order_by,
    status: body.status,
  };
}

/** What a body leaves out, unless the operation names a default. */
const absentInType = {
  priceThousandths: 0,
  currency: null,
  taxRate: null,
  capacity: null,
  availableFromUnix: null,
  availableUntilUnix: null,
  termMonths: null,
  expiresUnix: null,
  renewsAsTypeId: null,
  paymentOptionCodes: null,
  maxEntries: null,
} as const;

/** Contains only the given fields; an absent field keeps its value. */
export function membershipCategoryChange(body: UpdateMembershipCategoryBody): Partial<Omit<CategoryValues, 'code'>> {
  return given({
    title: body.title,
    seatMapId: body.membership_seat_map_id,
    showOnline: body.show_online,
    image: body.image,
    gameDayAccess: body.game_day_access,
    hexColor: body.hex_color,
    orderBy: body.order_by,
    status: body.status,
    metadata: body.metadata,
  });
}

export function newMembershipCategory(
  { code: _code, ...body }: CreateMembershipCategoryBody,
  code: string,
): CategoryValues {
  return {
    ...absentInCategory,
    ...membershipCategoryChange(body),
    code,
    title: body.title,
    showOnline: body.show_online,
    gameDayAccess: body.game_day_access,
    orderBy: body.order_by,
    status: body.status,
  };
}

const absentInCategory = { seatMapId: null, image: null, hexColor: null };

/** Contains only the given fields; an absent field keeps its value. */
export function paymentOptionChange(
  body: Omit<UpdateMembershipPaymentOptionBody, 'dry_run'>,
): Partial<Omit<PaymentOptionValues, 'code'>> {
  return given({
    title: body.title,
    autoRenewal: body.auto_renewal,
    fixedEndUnix: body.fixed_end_date,
    numberOfInstalments: body.number_of_instalments,
    orderBy: body.order_by,
    status: body.status,
  });
}

export function newPaymentOption(
  { code: _code, ...body }: CreateMembershipPaymentOptionBody,
  code: string,
): PaymentOptionValues {
  return {
    fixedEndUnix: null,
    ...paymentOptionChange(body),
    code,
    title: body.title,
    autoRenewal: body.auto_renewal,
    numberOfInstalments: body.number_of_instalments,
    orderBy: body.order_by,
    status: body.status,
  };
}
