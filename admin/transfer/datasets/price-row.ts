import * as v from 'valibot';
import type { PriceDraft } from '../../../shared/data/admin/save-price.ts';
import { majorUnits, minorUnits } from '../../../shared/domain/money.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import * as field from '../columns.ts';

/** A basket holds at most 40 tickets, so that nobody could buy more of them at once. */
const maxTicketsIncluded = 40;

export const PriceRow = v.strictObject({
  event_code: field.code,
  code: field.code,
  category_code: field.code,
  title: field.text(200),
  price: field.price,
  rebate: field.price,
  service_fee: field.price,
  service_tax: field.price,
  available_from_unix: field.unixOrNull,
  available_until_unix: field.unixOrNull,
  membership_type_code: v.nullable(field.code),
  show_online: field.truth,
  show_boxoffice: field.truth,
  status: field.onSale,
  tickets_included: field.integer(1, maxTicketsIncluded),
  scanning_flag: field.integer(0, 1_000_000_000),
  order_by: field.orderBy,
  /** In tickets, held and sold ones included: a group ticket takes tickets_included of them. */
  capacity: field.integer(0, 100_000_000),
});
export type PriceRow = v.InferOutput<typeof PriceRow>;

export const blankPrice = {
  rebate: 0,
  service_fee: 0,
  service_tax: 0,
  available_from_unix: null,
  available_until_unix: null,
  membership_type_code: null,
  show_online: true,
  show_boxoffice: true,
  status: 'active',
  tickets_included: 1,
  scanning_flag: 0,
  order_by: 0,
} as const satisfies Partial<PriceRow>;

type References = Pick<PriceRow, 'event_code' | 'category_code' | 'membership_type_code' | 'capacity'>;

export function priceRow(price: PriceRecord, references: References): PriceRow {
  return {
    ...references,
    code: price.code,
    title: price.title,
    price: majorUnits(price.priceMinor),
    rebate: majorUnits(price.rebateMinor),
    service_fee: majorUnits(price.serviceFeeMinor),
    service_tax: majorUnits(price.serviceTaxMinor),
    available_from_unix: price.availableFromUnix,
    available_until_unix: price.availableUntilUnix,
    show_online: price.showOnline,
    show_boxoffice: price.showBoxoffice,
    status: price.status,
    tickets_included: price.ticketsIncluded,
    scanning_flag: price.scanningFlag,
    order_by: price.orderBy,
  };
}

export function priceOfRow(
  row: PriceRow,
  referred: Pick<PriceDraft, 'eventId' | 'categoryId' | 'membershipTypeId'>,
): PriceDraft {
  const minor = (amount: number): number => minorUnits(amount) ?? 0;
  return {
    ...referred,
    code: row.code,
    title: row.title,
    priceMinor: minor(row.price),
    rebateMinor: minor(row.rebate),
    serviceFeeMinor: minor(row.service_fee),
    serviceTaxMinor: minor(row.service_tax),
    availableFromUnix: row.available_from_unix,
    availableUntilUnix: row.available_until_unix,
    showOnline: row.show_online,
    showBoxoffice: row.show_boxoffice,
    status: row.status,
    ticketsIncluded: row.tickets_included,
    scanningFlag: row.scanning_flag,
    orderBy: row.order_by,
    capacity: row.capacity,
  };
}
