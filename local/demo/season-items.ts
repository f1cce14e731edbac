import { eventItems, venueItem } from '../../shared/data/events/row.ts';
import { gateItem } from '../../shared/data/gates/gates.ts';
import { categoryItem, priceCodeItem, priceItem } from '../../shared/data/prices/row.ts';
import { stockItem } from '../../shared/data/prices/stock.ts';
import type { VenueRecord } from '../../shared/domain/events/event.ts';
import type { GateRecord } from '../../shared/domain/gates/gate.ts';
import { isSold, type RecordedSale } from '../../shared/domain/orders/order.ts';
import { ticketsByPrice } from '../../shared/domain/orders/tickets-by-price.ts';
import type { DemoDeed } from './activity.ts';
import { SalesLedger } from './order-ledger.ts';
import { type DemoEvent, demoStock, withSoldOut } from './season.ts';

export interface DemoSeason {
  readonly venues: readonly VenueRecord[];
  readonly gates: readonly GateRecord[];
  readonly events: readonly DemoEvent[];
  readonly deeds: readonly DemoDeed[];
}

type Item = Readonly<Record<string, unknown>>;

/** The items of a season, with the counters and the stock that its sales leave behind. */
export function seasonItems(orgId: string, { venues, gates, events, deeds }: DemoSeason): Item[] {
  const ledger = new SalesLedger(orgId);
  const sales = new Map<number, RecordedSale>();
  for (const deed of deeds) {
    if (deed.kind === 'sale') sales.set(deed.sale.orderId, ledger.sell(deed.sale));
    if (deed.kind === 'change') sales.set(deed.orderId, ledger.change(deed.orderId, deed.wanted));
    if (deed.kind === 'scan') ledger.scan(deed.scan);
  }
  const sold = [...sales.values()].flatMap(({ tickets }) => tickets).filter(isSold);
  return [
    ...venues.map((venue) => venueItem(orgId, venue)),
    ...gates.map((gate) => gateItem(orgId, gate)),
    ...events.flatMap((demo) => eventWithStock(orgId, demo, sold)),
    ...ledger.items(),
  ];
}

function eventWithStock(orgId: string, demo: DemoEvent, sold: RecordedSale['tickets']): Item[] {
  const stocks = demoStock(demo, ticketsByPrice(sold.filter(({ eventId }) => eventId === demo.event.eventId)));
  return [
    ...eventItems(orgId, withSoldOut(demo, stocks)),
    ...demo.categories.map((category) => categoryItem(orgId, category)),
    ...demo.prices.flatMap(({ price }) => [
      priceItem(orgId, price),
      priceCodeItem(orgId, price),
      stockItem(orgId, price, stocks.get(price.index) ?? { avail: 0, capacity: 0 }),
    ]),
  ];
}
