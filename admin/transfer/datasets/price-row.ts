import * as v from 'valibot';
import type { PriceDraft } from '../../../shared/data/prices/save-price.ts';
import { majorUnits, minorUnits } from '../../../shared/domain/money.ts';
import { chargedDecimals, unchargeable } from '../../../shared/domain/prices/amounts.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import type { SelfCancel } from '../../../shared/domain/prices/self-cancel.ts';
import { maxRuleHours } from '../../../shared/domain/prices/ticket-rules.ts';
import * as column from '../columns.ts';
import { metadataPairs } from '../metadata-columns.ts';

/** A basket holds at most 40 tickets, so a larger group could not be bought. */
const maxTicketsIncluded = 40;

export const PriceRow = v.strictObject({
  event_code: column.code,
  code: column.code,
  category_code: column.code,
  title: column.text(200),
  price: column.price,
  rebate: column.price,
  service_fee: column.price,
  service_tax: column.price,
  available_from_unix: column.unixOrNull,
  available_until_unix: column.unixOrNull,
  membership_type_code: v.nullable(column.code),
  show_online: column.boolean,
  show_boxoffice: column.boolean,
  status: column.saleStatus,
  tickets_included: column.integer(1, maxTicketsIncluded),
  scanning_flag: column.integer(0, 1_000_000_000),
  order_by: column.orderBy,
  max_per_order: v.nullable(column.integer(1, maxTicketsIncluded)),
  /** Needs `membership_type_code`. */
  max_per_member: v.nullable(column.integer(1, maxTicketsIncluded)),
  holder_names: column.holderNames,
  names_until_hours: v.nullable(column.integer(0, maxRuleHours)),
  barcode_from_hours: v.nullable(column.integer(0, maxRuleHours)),
  /** Null: anyone, and nobody if the price is for members. */
  transfer: v.nullable(column.transferRule),
  transfer_until_hours: v.nullable(column.integer(0, maxRuleHours)),
  /** On what terms buyers may cancel by themselves. Both or neither. */
  self_cancel_until_hours: v.nullable(column.integer(0, maxRuleHours)),
  self_cancel_keep_percent: v.nullable(column.percentage),
  /** The percentage of tax that the price contains. */
  tax_rate: v.nullable(column.percentage),
  /** The pool of the same event that the tickets are taken from. */
  pool_code: v.nullable(column.code),
  /** In tickets, including held and sold ones. A group ticket counts as `tickets_included`. Null: as many as the pool has. */
  capacity: v.nullable(column.capacity),
  metadata: metadataPairs,
});
export type PriceRow = v.InferOutput<typeof PriceRow>;

export const priceDefaults = {
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
  max_per_order: null,
  max_per_member: null,
  holder_names: 'optional',
  names_until_hours: null,
  barcode_from_hours: null,
  transfer: null,
  transfer_until_hours: null,
  self_cancel_until_hours: null,
  self_cancel_keep_percent: null,
  tax_rate: null,
  pool_code: null,
  capacity: null,
} as const satisfies Partial<PriceRow>;

type References = Pick<PriceRow, 'event_code' | 'category_code' | 'membership_type_code' | 'pool_code' | 'capacity'>;

export function priceRow(price: PriceRecord, currency: string, references: References): PriceRow {
  const money = (minor: number): number => majorUnits(minor, currency);
  return {
    ...references,
    code: price.code,
    title: price.title,
    price: money(price.priceMinor),
    rebate: money(price.rebateMinor),
    service_fee: money(price.serviceFeeMinor),
    service_tax: money(price.serviceTaxMinor),
    available_from_unix: price.availableFromUnix,
    available_until_unix: price.availableUntilUnix,
    show_online: price.showOnline,
    show_boxoffice: price.showBoxoffice,
    status: price.status,
    tickets_included: price.ticketsIncluded,
    scanning_flag: price.scanningFlag,
    order_by: price.orderBy,
    max_per_order: price.maxPerOrder,
    max_per_member: price.maxPerMember,
    tax_rate: price.taxRate,
    holder_names: price.holderNames,
    names_until_hours: price.namesUntilHours,
    barcode_from_hours: price.barcodeFromHours,
    transfer: price.transfer,
    transfer_until_hours: price.transferUntilHours,
    self_cancel_until_hours: price.selfCancel?.untilHours ?? null,
    self_cancel_keep_percent: price.selfCancel?.keepPercent ?? null,
    metadata: price.metadata,
  };
}

function selfCancelOfRow({
  self_cancel_until_hours: untilHours,
  self_cancel_keep_percent: keepPercent,
}: PriceRow): SelfCancel | null {
  return untilHours === null || keepPercent === null ? null : { untilHours, keepPercent };
}

/** One column without the other says nothing: neither has a usual value. */
export function selfCancelProblem(row: PriceRow): string | undefined {
  const { self_cancel_until_hours: hours, self_cancel_keep_percent: percent } = row;
  return (hours === null) === (percent === null)
    ? undefined
    : 'self_cancel_until_hours and self_cancel_keep_percent are given together, or neither is.';
}

/** What is wrong with the amounts of the row in the currency of its event. */
export function amountProblem({ price, rebate, service_fee, service_tax }: PriceRow, currency: string) {
  const column = unchargeable({ price, rebate, service_fee, service_tax }, currency);
  return column && `${column} ${chargedDecimals(currency)}`;
}

export function priceOfRow(
  row: PriceRow,
  currency: string,
  referred: Pick<PriceDraft, 'eventId' | 'categoryId' | 'membershipTypeId' | 'poolIndex'>,
): PriceDraft {
  const minor = (amount: number): number => minorUnits(amount, currency) ?? 0;
  return {
    ...referred,
    currency,
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
    maxPerOrder: row.max_per_order,
    maxPerMember: row.max_per_member,
    taxRate: row.tax_rate,
    holderNames: row.holder_names,
    namesUntilHours: row.names_until_hours,
    barcodeFromHours: row.barcode_from_hours,
    transfer: row.transfer,
    transferUntilHours: row.transfer_until_hours,
    selfCancel: selfCancelOfRow(row),
    capacity: row.capacity,
    metadata: row.metadata,
  };
}
