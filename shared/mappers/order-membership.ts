import { majorUnits } from '../domain/money.ts';
import type { OrderMembership as SoldMembership } from '../domain/orders/membership.ts';
import { ticketFeesMinor, ticketPriceMinor } from '../domain/orders/ticket-money.ts';
import type { OrderMembership } from '../operations/schemas/order-membership.ts';

export function orderMembership(record: SoldMembership, currency: string): OrderMembership {
  return {
    membership_member_id: record.memberId,
    member_number: record.memberNumber,
    barcode: record.barcode,
    line_id: record.lineId,
    membership_type_id: record.typeId,
    type_title: record.typeTitle,
    first_name: record.firstName,
    last_name: record.lastName,
    price: majorUnits(ticketPriceMinor(record), currency),
    fees: majorUnits(ticketFeesMinor(record), currency),
    discount: majorUnits(record.discountMinor, currency),
    expires: record.expiresUnix,
  };
}
