import type { PriceValues } from '../catalogue/save-price.ts';
import { given } from '../domain/given.ts';
import { minorUnits } from '../domain/money.ts';
import { priceOfId } from '../domain/prices/price.ts';
import type { SelfCancel } from '../domain/prices/self-cancel.ts';
import type { CreatePriceBody } from '../operations/catalogue/create-price.ts';
import type { UpdatePriceBody } from '../operations/catalogue/update-price.ts';

/** Contains only the given fields; an absent field keeps its value. The amounts fit the currency: the caller has checked it. */
export function priceChange(body: UpdatePriceBody, currency: string): Partial<PriceValues> {
  const minor = (amount: number | undefined) =>
    amount === undefined ? undefined : (minorUnits(amount, currency) ?? undefined);
  const { pool_id: pool } = body;
  return given({
    categoryId: body.price_category_id,
    title: body.title,
    priceMinor: minor(body.price),
    rebateMinor: minor(body.rebate),
    serviceFeeMinor: minor(body.service_fee),
    serviceTaxMinor: minor(body.service_tax),
    taxRate: body.tax_rate,
    availableFromUnix: body.available_from_unix,
    availableUntilUnix: body.available_until_unix,
    membershipTypeId: body.membership_type_id,
    showOnline: body.show_online,
    showBoxoffice: body.show_boxoffice,
    status: body.status,
    ticketsIncluded: body.tickets_included,
    scanningFlag: body.scanning_flag,
    maxPerOrder: body.max_per_order,
    maxPerMember: body.max_per_member,
    holderNames: body.holder_names,
    namesUntilHours: body.names_until_hours,
    barcodeFromHours: body.barcode_from_hours,
    transfer: body.transfer,
    transferUntilHours: body.transfer_until_hours,
    selfCancel: selfCancelOf(body.self_cancel),
    orderBy: body.order_by,
    // No pool has the index 0, so an invalid id finds none.
    poolIndex: pool == null ? pool : (priceOfId(pool)?.index ?? 0),
    capacity: body.capacity,
    metadata: body.metadata,
  });
}

function selfCancelOf(terms: UpdatePriceBody['self_cancel']): SelfCancel | null | undefined {
  return terms == null ? terms : { untilHours: terms.until_hours, keepPercent: terms.keep_percent };
}

export function newPriceValues(body: CreatePriceBody, currency: string): PriceValues {
  const { code: _code, dry_run: _dry, ...fields } = body;
  return {
    ...absentInPrice,
    ...priceChange(fields, currency),
    categoryId: body.price_category_id,
    title: body.title,
    showOnline: body.show_online,
    showBoxoffice: body.show_boxoffice,
    status: body.status,
    ticketsIncluded: body.tickets_included,
    scanningFlag: body.scanning_flag,
    holderNames: body.holder_names,
    orderBy: body.order_by,
  };
}

/** What a body leaves out. The amounts are always there: the operation names their defaults. */
const absentInPrice = {
  priceMinor: 0,
  rebateMinor: 0,
  serviceFeeMinor: 0,
  serviceTaxMinor: 0,
  taxRate: null,
  availableFromUnix: null,
  availableUntilUnix: null,
  membershipTypeId: null,
  maxPerOrder: null,
  maxPerMember: null,
  namesUntilHours: null,
  barcodeFromHours: null,
  transfer: null,
  transferUntilHours: null,
  selfCancel: null,
  poolIndex: null,
  capacity: null,
} as const;
