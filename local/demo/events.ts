import { derivedEventId, derivedId, derivedPriceCategoryId } from '../../shared/data/table/derived-id.ts';
import type { EventRecord, VenueRecord } from '../../shared/domain/events/event.ts';
import type { GateRecord } from '../../shared/domain/gates/gate.ts';
import { isEventSoldOut, type PoolRecord } from '../../shared/domain/prices/pool.ts';
import {
  maxPrices,
  type PriceCategoryRecord,
  type PriceRecord,
  priceIdOf,
  type Stock,
} from '../../shared/domain/prices/price.ts';
import { localUnix } from '../../shared/domain/time/local-time.ts';
import type { EventPlan, EventTime, PricePlan, SeasonPlan } from './season-plan.ts';

/** An event of the demo with its prices, and the plan of each. */
export interface DemoEvent {
  readonly plan: EventPlan;
  readonly event: EventRecord;
  readonly categories: readonly PriceCategoryRecord[];
  readonly pools: readonly { readonly pool: PoolRecord; readonly capacity: number }[];
  readonly prices: readonly { readonly price: PriceRecord; readonly plan: PricePlan }[];
  /** Who of the members has which seat, by the name of the seat. */
  readonly seatsOfMembers: ReadonlyMap<string, string>;
}

export interface SeasonContext {
  readonly orgId: string;
  readonly seasonPlan: SeasonPlan;
  /** Midnight UTC of the day on which the demo was created. All dates are relative to it. */
  readonly todayUnix: number;
  seatsOfMembers(event: EventRecord): ReadonlyMap<string, string>;
}

const day = 86_400;
const usualSaleWeeks = 8;
const step = 10;

export function demoVenues({ venues }: SeasonPlan): VenueRecord[] {
  return Object.entries(venues).map(([venueId, name]) => ({ venueId, name, version: 1 }));
}

/** Every gate admits every ticket and every membership card. */
export function demoGates({ gates }: SeasonPlan): GateRecord[] {
  return gates.map((name, index) => ({
    gateId: index + 1,
    name,
    priceCategories: 'all',
    membershipCategories: 'all',
  }));
}

export function demoEvents(context: SeasonContext): DemoEvent[] {
  return context.seasonPlan.events.map((plan) => demoEvent(context, plan));
}

function demoEvent(context: SeasonContext, plan: EventPlan): DemoEvent {
  const { orgId, seasonPlan, todayUnix } = context;
  const eventId = derivedEventId(orgId, plan.code);
  const startUnix = startOf(plan.at, seasonPlan.timezone, todayUnix);
  const event: EventRecord = {
    eventId,
    code: plan.code,
    title: plan.title,
    venueId: plan.venue ?? null,
    venueName: plan.venue === undefined ? null : (seasonPlan.venues[plan.venue] ?? null),
    onlineEvent: plan.venue === undefined,
    urlString: plan.code.normalize('NFKD').replace(/[^a-z0-9-]/g, ''),
    buyTicketsUrl: `https://tickets.example.com/${encodeURIComponent(plan.code)}`,
    currency: seasonPlan.currency,
    publicEvent: plan.isPrivate !== true,
    reservedSeating: plan.seats === 'reserved',
    soldOut: false,
    cancelledUnix: null,
    startUnix,
    timezone: seasonPlan.timezone,
    statusId: plan.status ?? (startUnix < todayUnix ? 3 : 1),
    bannerImage: `https://images.example.com/events/${encodeURIComponent(plan.code)}.jpg`,
    seatMapId: plan.seatMap === undefined ? null : derivedId(orgId, 'seatmap', plan.seatMap),
    seatingMapId: plan.sells === undefined ? null : derivedId(orgId, 'seatmap', plan.sells.code),
    seatingVersion: plan.sells === undefined ? null : 1,
    allowSingleSeats: false,
    version: 1,
  };
  const saleOpens = startUnix - (plan.saleWeeks ?? usualSaleWeeks) * 7 * day;
  const seatsOfMembers = context.seatsOfMembers(event);
  const kept = { ...event, ...(seatsOfMembers.size > 0 && { seatsUsed: true }) };
  return { plan, event: kept, ...pricesOf(orgId, event, saleOpens, plan), seatsOfMembers };
}

function pricesOf(orgId: string, { eventId, startUnix }: EventRecord, saleOpens: number, plan: EventPlan) {
  const categories = plan.categories.map(
    ({ code, title, zone = null }, index): PriceCategoryRecord => ({
      categoryId: derivedPriceCategoryId(orgId, eventId, code),
      eventId,
      code,
      title,
      status: 'active',
      orderBy: (index + 1) * step,
      zone,
      version: 1,
    }),
  );
  const pools = plan.categories
    .filter(({ poolCapacity }) => poolCapacity !== undefined)
    .map(({ code, title, poolCapacity: capacity = 0 }, index) => {
      const pool = { eventId, index: maxPrices - index, code, title, stockSlices: 1, stockVersion: 0, version: 1 };
      return { pool, capacity };
    });
  const poolOf = (code: string): number | null => pools.find(({ pool }) => pool.code === code)?.pool.index ?? null;
  const priced = plan.categories.flatMap(({ code, prices }) => prices.map((price) => ({ price, category: code })));
  const prices = priced.map(({ price, category }, index): DemoEvent['prices'][number] => ({
    plan: price,
    price: {
      eventId,
      index: index + 1,
      priceId: priceIdOf(eventId, index + 1),
      code: price.code,
      categoryId: derivedPriceCategoryId(orgId, eventId, category),
      title: price.title,
      priceMinor: price.priceMinor,
      rebateMinor: price.rebateMinor ?? 0,
      serviceFeeMinor: price.feeMinor ?? 0,
      serviceTaxMinor: price.taxMinor ?? 0,
      availableFromUnix: saleOpens,
      availableUntilUnix: startUnix,
      membershipTypeId: price.onlyFor === undefined ? null : derivedId(orgId, 'type', price.onlyFor),
      showOnline: price.boxOfficeOnly !== true,
      showBoxoffice: true,
      status: price.status ?? 'active',
      ticketsIncluded: price.ticketsIncluded ?? 1,
      scanningFlag: 0,
      maxPerOrder: null,
      maxPerMember: null,
      holderNames: 'optional',
      namesUntilHours: null,
      barcodeFromHours: null,
      transfer: null,
      transferUntilHours: null,
      selfCancel: price.onlyFor === undefined ? { untilHours: 48, keepPercent: 10 } : null,
      orderBy: (index + 1) * step,
      taxRate: null,
      poolIndex: price.inPool ? poolOf(category) : null,
      ownStock: price.capacity !== null,
      seatsOnly: plan.sells !== undefined && price.capacity === null,
      stockSlices: 1,
      stockVersion: 0,
      version: 1,
    },
  }));
  return { categories, pools, prices };
}

/** The Unix second of a local time in this time zone. */
function startOf({ week, weekday, hour, minute = 0 }: EventTime, timezone: string, todayUnix: number): number {
  const today = new Date(todayUnix * 1000).getUTCDay();
  const days = ((weekday - today + 7) % 7) + 7 * week;
  const wallClock = todayUnix + days * day + hour * 3_600 + minute * 60;
  const offsetAt = (unix: number): number => localUnix(unix, timezone) - unix;
  // The offset depends on the result. The second approximation is exact, because offsets change at night and events start later.
  return wallClock - offsetAt(wallClock - offsetAt(wallClock));
}

/** The stock of each price and pool after the given sales, by index. */
export function demoStock(
  { plan, prices, pools }: DemoEvent,
  soldByStock: ReadonlyMap<number, number>,
): ReadonlyMap<number, Stock> {
  const stocks = [
    ...prices.map(({ price: { index }, plan: { capacity } }) => ({ index, capacity })),
    ...pools.map(({ pool: { index }, capacity }) => ({ index, capacity })),
  ];
  return new Map(
    stocks.flatMap(({ index, capacity }) => {
      if (capacity === null) return [];
      const sold = soldByStock.get(index) ?? 0;
      const all = plan.isSoldOut ? sold : capacity;
      return [[index, { avail: all - sold, capacity: all }]];
    }),
  );
}

/** A demo with seats for sale has some left. */
export function withSoldOut({ event, plan, prices }: DemoEvent, stocks: ReadonlyMap<number, Stock>): EventRecord {
  return {
    ...event,
    soldOut:
      plan.sells === undefined &&
      isEventSoldOut(
        prices.map(({ price }) => price),
        stocks,
      ),
  };
}
