import type { TitledType } from '../data/membership/config.ts';
import type { CategoryRecord, PaymentOptionRecord } from '../data/membership/config-rows.ts';
import { fromThousandths } from '../domain/money.ts';
import type { MembershipCategory } from '../operations/schemas/membership-category.ts';
import type { MembershipPaymentOption } from '../operations/schemas/membership-payment-option.ts';
import type { MembershipType } from '../operations/schemas/membership-type.ts';
import { isoTimestamp } from './iso-timestamp.ts';

export function membershipTypeResource({ type, categoryTitle }: TitledType): MembershipType {
  return {
    membership_type_id: type.typeId,
    membership_category_id: type.categoryId,
    category_title: categoryTitle,
    title: type.title,
    price: fromThousandths(type.priceThousandths),
    expires: type.expiresUnix === null ? null : isoTimestamp(type.expiresUnix),
    offer_auto_renew: type.offerAutoRenew,
    show_online: type.showOnline,
    game_day_access: type.gameDayAccess,
    order_by: type.orderBy,
    status: type.status,
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
  };
}
