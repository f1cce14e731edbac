import { eventPositions } from '../../shared/data/events/positions.ts';
import { eventItems, venueItem } from '../../shared/data/events/row.ts';
import { gateItem } from '../../shared/data/gates/gates.ts';
import { builtPositionItems } from '../../shared/data/positions/build.ts';
import { categoryItem, poolItem, priceCodeItem, priceItem } from '../../shared/data/prices/row.ts';
import { stockItems } from '../../shared/data/prices/stock.ts';
import { pictureItem } from '../../shared/data/seats/picture.ts';
import { seatRowItem } from '../../shared/data/seats/rows.ts';
import type { VenueRecord } from '../../shared/domain/events/event.ts';
import type { GateRecord } from '../../shared/domain/gates/gate.ts';
import { countTicketsByStock } from '../../shared/domain/orders/counts.ts';
import { isSold, type OrderWithTickets } from '../../shared/domain/orders/order.ts';
import { seatName } from '../../shared/domain/seats/seat-map.ts';
import { basketOwner } from '../../shared/domain/seats/seat-moves.ts';
import type { DemoActivity } from './activity.ts';
import { type DemoEvent, demoStock, withSoldOut } from './events.ts';
import { OrderLedger } from './order-ledger.ts';

export interface DemoSeason {
  readonly venues: readonly VenueRecord[];
  readonly gates: readonly GateRecord[];
  readonly events: readonly DemoEvent[];
  readonly activities: readonly DemoActivity[];
}

type Item = Readonly<Record<string, unknown>>;

/** The items of a season, with the counters and the stock after all activities. */
export function seasonItems(orgId: string, { venues, gates, events, activities }: DemoSeason): Item[] {
  const ledger = new OrderLedger(orgId);
  const orders = new Map<number, OrderWithTickets>();
  for (const activity of activities) {
    if (activity.kind === 'order') orders.set(activity.order.orderId, ledger.place(activity.order));
    if (activity.kind === 'change') orders.set(activity.orderId, ledger.change(activity.orderId, activity.change));
    if (activity.kind === 'payment') orders.set(activity.orderId, ledger.pay(activity.orderId, activity.payment));
    if (activity.kind === 'scan') ledger.scan(activity.scan);
  }
  const sold = [...orders.values()].flatMap(({ tickets }) => tickets).filter(isSold);
  return [
    ...venues.map((venue) => venueItem(orgId, venue)),
    ...gates.map((gate) => gateItem(orgId, gate)),
    ...events.flatMap((demo) => eventWithStock(orgId, demo, sold)),
    ...builtPositionItems(
      { orgId, resource: 'events' },
      events.map(({ event }) => eventPositions(event)),
    ),
    ...ledger.items(),
  ];
}

function eventWithStock(orgId: string, demo: DemoEvent, sold: OrderWithTickets['tickets']): Item[] {
  const ofEvent = sold.filter(({ eventId }) => eventId === demo.event.eventId);
  const stocks = demoStock(demo, countTicketsByStock(ofEvent));
  return [
    ...eventItems(orgId, withSoldOut(demo, stocks)),
    ...demo.categories.map((category) => categoryItem(orgId, category)),
    ...demo.pools.map(({ pool }) => poolItem(orgId, pool)),
    ...demo.prices.flatMap(({ price }) => [priceItem(orgId, price), priceCodeItem(orgId, price)]),
    ...[...demo.prices.map(({ price }) => price), ...demo.pools.map(({ pool }) => pool)].flatMap((one) => {
      const stock = stocks.get(one.index);
      return stock === undefined ? [] : stockItems(orgId, one, stock);
    }),
    ...takenRows(orgId, demo, ofEvent),
  ];
}

/** The rows in which somebody has a seat, and the pictures of their sections. */
function takenRows(
  orgId: string,
  { event, plan, seatsOfMembers }: DemoEvent,
  sold: OrderWithTickets['tickets'],
): Item[] {
  const { eventId, seatingVersion } = event;
  return (plan.sells?.map.sections ?? []).flatMap((ofMap) => {
    const { section, rows } = ofMap;
    const sizes = new Map(rows.map(({ row, seats }) => [row, seats.length]));
    const takenInSection = rows.flatMap(({ row, seats }) => {
      const taken = sold.filter(
        ({ takesSeat, sectionLabel, seatRow }) => takesSeat && sectionLabel === section && seatRow === row,
      );
      const members = seats.flatMap(({ label }): [string, string][] => {
        const owner = seatsOfMembers.get(seatName(section, row, label));
        return owner === undefined ? [] : [[label, owner]];
      });
      const baskets = taken.map(({ seatTitle, orderId }): [string, string] => [seatTitle ?? '', basketOwner(orderId)]);
      const owners = new Map([...members, ...baskets]);
      const version = new Set(owners.values()).size;
      return version === 0 ? [] : [{ section, row, owners, version }];
    });
    const picture = pictureItem(orgId, { eventId, mapVersion: seatingVersion ?? 0 }, ofMap, takenInSection);
    return [picture, ...takenInSection.map((one) => seatRowItem(orgId, eventId, one, sizes.get(one.row) ?? 0))];
  });
}
