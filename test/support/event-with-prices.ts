import type { Table } from '../../shared/data/table/table.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import type { SoldTicket } from '../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { aTicket } from '../../tools/fixtures/orders.ts';

export interface EventWithPrices {
  readonly event: EventRecord;
  /** Two prices in the east stand, then one in the west stand. */
  readonly prices: readonly [PriceRecord, PriceRecord, PriceRecord];
  ticket(price: PriceRecord, changes?: Partial<SoldTicket>): SoldTicket;
}

const stands = { east: 'East stand', west: 'West stand' } as const;

/** An event with three prices in two categories, and a builder of their tickets. */
export async function givenEventWithPrices(table: Table, orgId: string): Promise<EventWithPrices> {
  const event = await givenEvent(table, orgId);
  const { eventId } = event;
  const east = await givenPriceCategory(table, orgId, { eventId, code: 'east', title: stands.east, orderBy: 1 });
  const west = await givenPriceCategory(table, orgId, {
    eventId,
    code: 'west',
    title: stands.west,
    orderBy: 2,
    status: 'inactive',
  });
  const titles = new Map([
    [east.categoryId, stands.east],
    [west.categoryId, stands.west],
  ]);
  const price = (title: string, categoryId: number, orderBy: number) =>
    givenPrice(table, orgId, { eventId, categoryId, title, orderBy });
  return {
    event,
    prices: [
      await price('Adult', east.categoryId, 1),
      await price('Child', east.categoryId, 2),
      await price('Adult', west.categoryId, 3),
    ],
    ticket: ({ priceId, index, title, categoryId }, changes) =>
      aTicket({
        priceId,
        priceIndex: index,
        priceTitle: title,
        categoryId,
        categoryTitle: titles.get(categoryId) ?? '',
        ...changes,
      }),
  };
}
