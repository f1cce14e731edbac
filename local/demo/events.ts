import { derivedEventId, derivedId, derivedPriceCategoryId } from '../../shared/data/table/derived-id.ts';
import type { EventRecord, VenueRecord } from '../../shared/domain/events/event.ts';
import type { GateRecord } from '../../shared/domain/gates/gate.ts';
import {
  isEventSoldOut,
  type PriceCategoryRecord,
  type PriceRecord,
  priceIdOf,
  type Stock,
} from '../../shared/domain/prices/price.ts';
import { localUnix } from '../../shared/domain/time/local-time.ts';
import type { Programme, StagedEvent, StagedPrice, StagedTime } from './season-plan.ts';

/** An event of the demo with its prices, and the price that each was staged as. */
export interface DemoEvent {
  readonly staged: StagedEvent;
  readonly event: EventRecord;
  readonly categories: readonly PriceCategoryRecord[];
  readonly prices: readonly { readonly price: PriceRecord; readonly staged: StagedPrice }[];
}

export interface SeasonPlan {
  readonly orgId: string;
  readonly programme: Programme;
  /** Midnight UTC of the day on which the demo was made: every date counts from it. */
  readonly todayUnix: number;
}

const day = 86_400;
const usualSaleWeeks = 8;
const step = 10;

export function demoVenues({ venues }: Programme): VenueRecord[] {
  return Object.entries(venues).map(([venueId, name]) => ({ venueId, name }));
}

/** Whoever has a ticket or a card may come in at each; a place wants its own rules only later. */
export function demoGates({ gates }: Programme): GateRecord[] {
  return gates.map((name, index) => ({
    gateId: index + 1,
    name,
    priceCategories: 'all',
    membershipCategories: 'all',
  }));
}

export function demoEvents(plan: SeasonPlan): DemoEvent[] {
  return plan.programme.events.map((staged) => demoEvent(plan, staged));
}

function demoEvent(plan: SeasonPlan, staged: StagedEvent): DemoEvent {
  const { orgId, programme, todayUnix } = plan;
  const eventId = derivedEventId(orgId, staged.code);
  const startUnix = startOf(staged.at, programme.timezone, todayUnix);
  const event: EventRecord = {
    eventId,
    code: staged.code,
    title: staged.title,
    venueId: staged.venue ?? null,
    venueName: staged.venue === undefined ? null : (programme.venues[staged.venue] ?? null),
    onlineEvent: staged.venue === undefined,
    urlString: staged.code.normalize('NFKD').replace(/[^a-z0-9-]/g, ''),
    buyTicketsUrl: `https://tickets.example.com/${encodeURIComponent(staged.code)}`,
    currency: programme.currency,
    publicEvent: staged.isPrivate !== true,
    reservedSeating: staged.seats === 'reserved',
    soldOut: false,
    startUnix,
    timezone: programme.timezone,
    statusId: staged.status ?? (startUnix < todayUnix ? 3 : 1),
    bannerImage: `https://images.example.com/events/${encodeURIComponent(staged.code)}.jpg`,
    seatMapId: staged.seatMap === undefined ? null : derivedId(orgId, 'seatmap', staged.seatMap),
    version: 1,
  };
  const saleOpens = startUnix - (staged.saleWeeks ?? usualSaleWeeks) * 7 * day;
  return { staged, event, ...offered(orgId, event, saleOpens, staged) };
}

function offered(orgId: string, { eventId, startUnix }: EventRecord, saleOpens: number, staged: StagedEvent) {
  const categories = staged.categories.map(
    ({ code, title }, index): PriceCategoryRecord => ({
      categoryId: derivedPriceCategoryId(orgId, eventId, code),
      eventId,
      code,
      title,
      status: 'active',
      orderBy: (index + 1) * step,
      version: 1,
    }),
  );
  const priced = staged.categories.flatMap(({ code, prices }) => prices.map((price) => ({ price, category: code })));
  const prices = priced.map(({ price, category }, index): DemoEvent['prices'][number] => ({
    staged: price,
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
      orderBy: (index + 1) * step,
      version: 1,
    },
  }));
  return { categories, prices };
}

/** The second at which the clocks there show this time. */
function startOf({ week, weekday, hour, minute = 0 }: StagedTime, timezone: string, todayUnix: number): number {
  const today = new Date(todayUnix * 1000).getUTCDay();
  const days = ((weekday - today + 7) % 7) + 7 * week;
  const wall = todayUnix + days * day + hour * 3_600 + minute * 60;
  const offsetAt = (unix: number): number => localUnix(unix, timezone) - unix;
  // The offset is that of the instant itself, which is not known before; the second guess is never wrong in the evening.
  return wall - offsetAt(wall - offsetAt(wall));
}

/** What is left of each price when so many tickets of it are sold. */
export function demoStock(
  { staged, prices }: DemoEvent,
  soldByIndex: ReadonlyMap<number, number>,
): ReadonlyMap<number, Stock> {
  return new Map(
    prices.map(({ price: { index }, staged: { capacity } }) => {
      const sold = soldByIndex.get(index) ?? 0;
      const all = staged.isSoldOut ? sold : capacity;
      return [index, { avail: all - sold, capacity: all }];
    }),
  );
}

export function withSoldOut({ event, prices }: DemoEvent, stocks: ReadonlyMap<number, Stock>): EventRecord {
  return {
    ...event,
    soldOut: isEventSoldOut(
      prices.map(({ price }) => price),
      stocks,
    ),
  };
}
