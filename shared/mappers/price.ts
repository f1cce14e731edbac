import type { EventRecord } from '../domain/events/event.ts';
import { noMetadata } from '../domain/metadata.ts';
import { majorUnits } from '../domain/money.ts';
import { phaseIdOf } from '../domain/phases/phase.ts';
import type { PhaseOfPrice } from '../domain/phases/phase-of-price.ts';
import { availableOf, hasFewLeft, isSoldOut } from '../domain/prices/pool.ts';
import { type PriceCategoryRecord, type PriceRecord, priceIdOf, type Stock } from '../domain/prices/price.ts';
import { transferOf } from '../domain/prices/ticket-rules.ts';
import { localUnix } from '../domain/time/local-time.ts';
import type { Price } from '../operations/schemas/price.ts';

/** What a price resource shows in addition to the price's own fields. */
export interface PriceContext {
  readonly event: Pick<EventRecord, 'timezone' | 'currency'>;
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  readonly stocks: ReadonlyMap<number, Stock>;
  readonly membershipTypes: ReadonlyMap<number, { readonly title: string }>;
  /** Everyone may see it: numbers of tickets are for the organisation itself. */
  readonly isPublic: boolean;
}

export function priceResource(price: PriceRecord, context: PriceContext): Price {
  const { event, categories, stocks, membershipTypes, isPublic } = context;
  const local = (unix: number | null): number | null => (unix === null ? null : localUnix(unix, event.timezone));
  const money = (minor: number): number => majorUnits(minor, event.currency);
  const { membershipTypeId } = price;
  return {
    price_id: price.priceId,
    price_category_id: price.categoryId,
    price_category_title: categories.get(price.categoryId)?.title ?? '',
    title: price.title,
    price: money(price.priceMinor),
    rebate: money(price.rebateMinor),
    service_fee: money(price.serviceFeeMinor),
    service_tax: money(price.serviceTaxMinor),
    total_price: money(price.priceMinor - price.rebateMinor + price.serviceFeeMinor + price.serviceTaxMinor),
    tax_rate: price.taxRate,
    group_ticket: price.ticketsIncluded > 1,
    available_from_unix: price.availableFromUnix,
    available_until_unix: price.availableUntilUnix,
    local_available_from_unix: local(price.availableFromUnix),
    local_available_until_unix: local(price.availableUntilUnix),
    membership_type_id: membershipTypeId,
    membership_type_name: membershipTypeId === null ? null : (membershipTypes.get(membershipTypeId)?.title ?? null),
    show_online: price.showOnline,
    show_boxoffice: price.showBoxoffice,
    status: price.status === 'active' && isSoldOut(price, stocks) ? 'sold_out' : price.status,
    tickets_included: price.ticketsIncluded,
    pool_id: price.poolIndex === null ? null : priceIdOf(price.eventId, price.poolIndex),
    ...(isPublic
      ? { few_left: hasFewLeft(price, stocks) }
      : { capacity: stocks.get(price.index)?.capacity ?? null, available: availableOf(price, stocks) }),
    scanning_flag: price.scanningFlag,
    holder_names: price.holderNames,
    names_until_hours: price.namesUntilHours,
    barcode_from_hours: price.barcodeFromHours,
    transfer: transferOf(price),
    transfer_until_hours: price.transferUntilHours,
    self_cancel: price.selfCancel && {
      until_hours: price.selfCancel.untilHours,
      keep_percent: price.selfCancel.keepPercent,
    },
    max_per_order: price.maxPerOrder,
    max_per_member: price.maxPerMember,
    order_by: price.orderBy,
    code: price.code,
    metadata: price.metadata ?? noMetadata,
    version: price.version,
  };
}

/** What a list of prices says about the phases of a price. */
export function phaseFields(
  { eventId }: Pick<PriceRecord, 'eventId'>,
  { open, nextFromUnix, eligibility }: PhaseOfPrice,
): Pick<Price, 'phase_id' | 'next_phase_from_unix' | 'eligible' | 'missing'> {
  return {
    phase_id: open === undefined ? null : phaseIdOf(eventId, open.number),
    next_phase_from_unix: nextFromUnix,
    ...(eligibility && { eligible: eligibility.isEligible, missing: [...eligibility.missing] }),
  };
}
