import type { TypeInCategory } from '../data/membership/config.ts';
import type { CategoryRecord, PaymentOptionRecord } from '../data/membership/config-rows.ts';
import { noMetadata } from '../domain/metadata.ts';
import { fromThousandths } from '../domain/money.ts';
import type { MembershipCategory } from '../operations/schemas/membership-category.ts';
import type { MembershipPaymentOption } from '../operations/schemas/membership-payment-option.ts';
import type { MembershipType } from '../operations/schemas/membership-type.ts';
import { isoTimestamp } from './iso-timestamp.ts';

/** The capacity is for the organisation itself, so a page that everyone can read does not show it. */
export function membershipTypeResource(
  { type, category }: TypeInCategory,
  { isPublic = false }: { readonly isPublic?: boolean } = {},
): MembershipType {
  return {
    membership_type_id: type.typeId,
    membership_category_id: type.categoryId,
    category_title: category?.title ?? '',
    title: type.title,
    price: fromThousandths(type.priceThousandths),
    currency: type.currency,
    tax_rate: type.taxRate,
    ...(!isPublic && { capacity: type.capacity }),
    available_from_unix: type.availableFromUnix,
    available_until_unix: type.availableUntilUnix,
    persons: type.persons,
    term_months: type.termMonths,
    expires: type.expiresUnix === null ? null : isoTimestamp(type.expiresUnix),
    renews_as_membership_type_id: type.renewsAsTypeId,
    membership_payment_option_ids: type.paymentOptionCodes,
    pro_rata: type.proRata,
    max_entries: type.maxEntries,
    grace_days: type.graceDays,
    withdrawal_days: type.withdrawalDays,
    offer_auto_renew: type.offerAutoRenew,
    show_online: type.showOnline,
    game_day_access: type.gameDayAccess,
    order_by: type.orderBy,
    status: type.status,
    code: type.code,
    metadata: type.metadata ?? noMetadata,
    version: type.version,
  };
}

export function membershipCategoryResource(category: CategoryRecord): MembershipCategory {
  return {
    membership_category_id: category.categoryId,
    membership_seat_map_id: category.seatMapId,
    title: category.title,
    show_online: category.showOnline,
    image: category.image,
    game_day_access: category.gameDayAccess,
    hex_color: category.hexColor,
    order_by: category.orderBy,
    status: category.status,
    code: category.code,
    metadata: category.metadata ?? noMetadata,
    version: category.version,
  };
}

export function membershipPaymentOptionResource(option: PaymentOptionRecord): MembershipPaymentOption {
  return {
    membership_payment_option_id: option.code,
    title: option.title,
    auto_renewal: option.autoRenewal,
    fixed_end_date: option.fixedEndUnix,
    number_of_instalments: option.numberOfInstalments,
    order_by: option.orderBy,
    status: option.status,
    code: option.code,
    version: option.version,
  };
}
