import { randomInt } from 'node:crypto';
import { readCampaign } from '../../data/codes/campaigns.ts';
import { readSeenRows } from '../../data/seats/rows.ts';
import { readSections, readShownSections, type TakenSections } from '../../data/seats/shown.ts';
import { readMapOfEvent } from '../../data/seats/stock.ts';
import { Contended } from '../../data/table/failures.ts';
import type { Table } from '../../data/table/table.ts';
import { addSeats, type SeatedItem } from '../../domain/baskets/add-seats.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { type BasketRefusal, type Decision, refused, saleRefusal } from '../../domain/baskets/changes.ts';
import { needsCode } from '../../domain/baskets/code-adjustments.ts';
import type { Holder } from '../../domain/baskets/line-item.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { type BestTake, type BestWish, bestSeats } from '../../domain/seats/best-seats.ts';
import { pictureOf } from '../../domain/seats/row-picture.ts';
import { type SeatMap, seatName } from '../../domain/seats/seat-map.ts';
import { rowName, type SeenRows, type TakenRow } from '../../domain/seats/seat-moves.ts';
import { newSingles } from '../../domain/seats/single-seats.ts';
import { problem, referenceMissing } from '../problem.ts';

/** Tickets of one price, with the seats that the buyer picked, or as many of the best as there are tickets. */
export interface WantedItem {
  readonly offer: Offer;
  readonly quantity: number;
  /** Null: the best. */
  readonly seats: readonly string[] | null;
  readonly holders: readonly Holder[];
}

export interface SeatWishes {
  readonly section: string | null;
  /** How many wheelchair places. */
  readonly accessible: number;
  readonly together: boolean;
}

export const noWishes: SeatWishes = { section: null, accessible: 0, together: true };

export interface SaleContext {
  readonly table: Table;
  readonly orgId: string;
  readonly nowMs: number;
  /** To the public, a price that needs another code looks like a missing one. */
  readonly isPublic: boolean;
}

/** Decides which seats a basket gets. The transaction of the basket takes them on the rows that were read here. */
export async function decideSeats(
  context: SaleContext,
  basket: Basket,
  items: readonly WantedItem[],
  wishes: SeatWishes,
): Promise<Decision> {
  const nowUnix = Math.floor(context.nowMs / 1000);
  const { table, orgId, isPublic } = context;
  if (isPublic && items.some(({ offer }) => needsCode(basket, offer))) throw referenceMissing('price', 'price_id');
  const refusal = items.map(({ offer }) => saleRefusal(basket, offer, nowUnix)).find((one) => one !== undefined);
  if (refusal !== undefined) return refused(basket, refusal);
  const [first] = items;
  const map = first && (await readMapOfEvent(table, orgId, first.offer.event));
  if (first === undefined || map === undefined) {
    return refused(basket, { reason: 'not_on_sale', because: 'no_seats' });
  }
  const campaign = basket.code === null ? undefined : await readCampaign(table, orgId, basket.code.campaignId);
  const picked = items.flatMap(({ seats, ...item }) => (seats === null ? [] : [{ ...item, seats }]));
  if (picked.length === items.length) {
    const names = picked.flatMap(({ seats }) => seats);
    const rows = await readSeenRows(table, orgId, { eventId: first.offer.event.eventId, map, names });
    return addSeats(basket, picked, { rows, isPicked: true, campaign, nowUnix });
  }
  const chosen = await chooseBest(context, map, items, wishes);
  if ('reason' in chosen) return refused(basket, chosen);
  return addSeats(basket, laidOut(items, chosen.seats), { rows: chosen.rows, isPicked: false, campaign, nowUnix });
}

/** Adult and junior sit side by side in the order given. */
function laidOut(items: readonly WantedItem[], seats: readonly string[]): readonly SeatedItem[] {
  let from = 0;
  return items.map(({ offer, quantity, holders }) => {
    const tickets = quantity * offer.price.ticketsIncluded;
    from += tickets;
    return { offer, holders, seats: seats.slice(from - tickets, from) };
  });
}

/** What others take meanwhile is looked at again; after so many times the sale is too busy. */
const maxChoices = 6;

type Chosen = BasketRefusal | { readonly seats: readonly string[]; readonly rows: SeenRows };

async function chooseBest(
  context: SaleContext,
  map: SeatMap,
  items: readonly WantedItem[],
  wishes: SeatWishes,
): Promise<Chosen> {
  const wish = wishOf(items, wishes);
  const wished = map.sections.filter(({ section }) => wishes.section === null || section === wishes.section);
  if (wished.length === 0) throw referenceMissing('section of the seat map', 'section');
  const { eventId } = items[0]?.offer.event ?? { eventId: 0 };
  // A stadium has eighty sections, and a zone some of them.
  const offered = wished.filter(({ rows }) => rows.some(({ seats }) => seats.some(({ zone }) => zone === wish.zone)));
  const sections = { eventId, sections: offered.map(({ section }) => section) };
  let picture = await readShownSections(context.table, context.orgId, sections, context.nowMs);
  let best = bestSeats(map, openRows(offered, picture), wish);
  if (best.outcome !== 'found') {
    // The picture may be a second old. Nothing is refused by it.
    picture = await readSections(context.table, context.orgId, sections);
    best = bestSeats(map, openRows(offered, picture), wish);
  }
  for (let choice = 1; choice <= maxChoices; choice += 1) {
    if (best.outcome !== 'found') return { reason: best.outcome === 'sold_out' ? 'sold_out' : 'seats_not_together' };
    const take = best.takes[randomInt(best.takes.length)] ?? { rows: [], leavesSingle: false };
    const seats = namesOf(map, take);
    const rows = await readSeenRows(context.table, context.orgId, { eventId, map, names: seats });
    if (isStillGood(take, rows)) return { seats, rows };
    const now = [...rows.values()].map(({ taken }) => taken);
    picture = withRows(picture, now);
    best = bestSeats(map, openRows(offered, picture), wish);
  }
  throw new Contended('Too many buyers take these seats at the same time. Nothing was changed. Try again.');
}

function wishOf(items: readonly WantedItem[], { accessible, together }: SeatWishes): BestWish {
  const zones = [...new Set(items.map(({ offer }) => offer.category.zone ?? ''))];
  if (zones.length !== 1) {
    const message = 'The best seats together are of one zone. Send prices of one zone, or pick the seats.';
    throw problem('parameter_conflict', message, { param: 'items' });
  }
  const size = items.reduce((sum, { offer, quantity }) => sum + quantity * offer.price.ticketsIncluded, 0);
  const avoidsSingles = items.every(({ offer }) => !offer.event.allowSingleSeats);
  return { size, together, zone: zones[0] ?? '', avoidsSingles, wheelchairs: Math.min(accessible, size) };
}

function openRows(sections: SeatMap['sections'], picture: TakenSections) {
  return sections.flatMap(({ section, rows }) => {
    const taken = new Map((picture.get(section) ?? []).map((row) => [row.row, row.owners]));
    return rows.map((row) => ({
      section,
      row: row.row,
      picture: pictureOf(row, new Set(taken.get(row.row)?.keys() ?? [])),
    }));
  });
}

function namesOf(map: SeatMap, { rows }: BestTake): readonly string[] {
  return rows.flatMap(({ section, row, positions }) => {
    const found = map.sections.find((one) => one.section === section)?.rows.find((one) => one.row === row);
    return positions.map((position) => seatName(section, row, found?.seats[position]?.label ?? ''));
  });
}

/** Whether the seats are free in the rows as they are now, and still leave no single seat if they did not before. */
function isStillGood({ rows: takes, leavesSingle }: BestTake, rows: SeenRows): boolean {
  return takes.every((take) => {
    const seen = rows.get(rowName(take));
    if (seen === undefined) return false;
    const picture = pictureOf(seen.row, new Set(seen.taken.owners.keys()));
    const areOpen = take.positions.every((position) => picture.open[position]);
    return areOpen && (leavesSingle || newSingles(picture, take.positions).length === 0);
  });
}

/** The picture with rows as they were read since. */
function withRows(picture: TakenSections, rows: readonly TakenRow[]): TakenSections {
  const changed = new Map(picture);
  for (const row of rows) {
    const others = (changed.get(row.section) ?? []).filter((one) => one.row !== row.row);
    changed.set(row.section, [...others, row]);
  }
  return changed;
}
