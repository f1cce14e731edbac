import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import type { EventDraft } from '../../shared/data/events/save.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import { readSections, sectionsOf } from '../../shared/data/seats/shown.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Basket } from '../../shared/domain/baskets/basket.ts';
import type { ChangedBasket } from '../../shared/domain/baskets/changes.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { OpenRow } from '../../shared/domain/seats/best-seats.ts';
import { pictureOf } from '../../shared/domain/seats/row-picture.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { shownRow } from '../../shared/domain/seats/seen-rows.ts';
import { decideSeats, noWishes } from '../../shared/sales/baskets/seat-decision.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import type { TestCheckoutDeps } from './baskets.ts';

let made = 0;

/** The rows of a map, with these seats taken: `A1` is seat 1 of row A. */
export function openRows(map: SeatMap, taken: readonly string[] = []): OpenRow[] {
  return map.sections.flatMap(({ section, rows }) =>
    rows.map((row) => ({
      section,
      row: row.row,
      picture: pictureOf(
        row,
        new Set(row.seats.flatMap(({ label }) => (taken.includes(`${row.row}${label}`) ? [label] : []))),
      ),
    })),
  );
}

/** A published event that sells the seats of a hall, with one price. */
export async function givenSeatedEvent(
  table: Table,
  orgId: string,
  { map, ...changes }: { readonly map?: SeatMap } & Partial<EventDraft> = {},
): Promise<{ readonly event: EventRecord; readonly price: PriceRecord }> {
  made += 1;
  const { seatMapId } = await givenSeatMap(table, orgId, { code: `hall-${made}`, ...(map && { map }) });
  const event = await givenEvent(table, orgId, {
    startUnix: farFutureUnix,
    reservedSeating: true,
    seatingMapId: seatMapId,
    seatingVersion: 1,
    ...changes,
  });
  const { eventId } = event;
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId, zone: 'Stalls' });
  return { event, price: await givenPrice(table, orgId, { eventId, categoryId, capacity: null, seatsOnly: true }) };
}

/** Adds seats of a price as add-basket-seats does: the seats that are named, or so many of the best, which may be apart. */
export function addSeatsTo(
  { table, orgId, clock }: CheckoutDeps,
  basketId: number,
  price: PriceRecord,
  wanted: readonly string[] | number | { readonly apart: number },
): Promise<ChangedBasket> {
  const together = typeof wanted === 'number' || !('apart' in wanted);
  const seats = typeof wanted === 'number' || !('apart' in wanted) ? wanted : wanted.apart;
  return changeBasket(table, {
    orgId,
    basketId,
    decide: async (basket) => {
      const offer = await readOffer(table, orgId, price.priceId);
      if (offer === undefined) throw new Error('There is no such price.');
      const isPicked = typeof seats !== 'number';
      const item = { offer, quantity: isPicked ? 0 : seats, seats: isPicked ? seats : null, holders: [] };
      return decideSeats({ table, orgId, clock, isPublic: false }, basket, [item], {
        ...noWishes,
        together,
      });
    },
  });
}

/** An open basket with these seats. */
export async function givenSeats(
  deps: TestCheckoutDeps,
  price: PriceRecord,
  seats: readonly string[] | number,
): Promise<Basket> {
  const { basketId } = await openBasket(deps.table, deps);
  const added = await addSeatsTo(deps, basketId, price, seats);
  if (added.outcome !== 'changed') throw new Error(`The seats were not added: ${JSON.stringify(added)}`);
  return added.basket;
}

/** The rows of a section as they are: `x` is taken. */
export async function rowsNow(table: Table, orgId: string, eventId: number, map: SeatMap): Promise<readonly string[]> {
  const taken = await readSections(table, orgId, { eventId, sections: sectionsOf(map) });
  return map.sections.flatMap(({ section, rows }) => {
    const owners = new Map((taken.get(section) ?? []).map((row) => [row.row, row.owners]));
    return rows.map((row) => shownRow(row, { section, owners: owners.get(row.row) ?? new Map() }).seats);
  });
}
