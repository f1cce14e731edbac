import { randomInt } from 'node:crypto';
import { readCampaign } from '../../data/codes/campaigns.ts';
import { readSeenRows, seenRows } from '../../data/seats/rows.ts';
import { readSections, readShownSections, rowIn, type TakenSections } from '../../data/seats/shown.ts';
import { readMapOfEvent } from '../../data/seats/stock.ts';
import { addSeats, type SeatedItem } from '../../domain/baskets/add-seats.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { type BasketRefusal, type Decision, refused, saleRefusal } from '../../domain/baskets/changes.ts';
import { needsCode } from '../../domain/baskets/code-adjustments.ts';
import type { GivenHolder } from '../../domain/baskets/holders.ts';
import type { ItemRefusal } from '../../domain/baskets/item-refusal.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { type BestSeats, type BestTake, type BestWish, bestSeats } from '../../domain/seats/best-seats.ts';
import { pictureOf } from '../../domain/seats/row-picture.ts';
import { type SeatMap, seatName } from '../../domain/seats/seat-map.ts';
import { rowName, type SeenRows } from '../../domain/seats/seat-moves.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { readShownOffer } from './offered-item.ts';
import type { SaleContext } from './sale-context.ts';

/** Tickets of one price, with the seats that the buyer picked, or as many of the best as there are tickets. */
export interface WantedItem {
  readonly offer: Offer;
  readonly quantity: number;
  /** Null: the best. */
  readonly seats: readonly string[] | null;
  readonly holders: readonly GivenHolder[];
}

export interface SeatWishes {
  readonly section: string | null;
  /** How many wheelchair places. */
  readonly accessible: number;
  readonly together: boolean;
}

export const noWishes: SeatWishes = { section: null, accessible: 0, together: true };

/** The prices of items, as the fan may buy them. */
export async function readSeatItems(
  context: SaleContext,
  items: readonly (Omit<WantedItem, 'offer'> & { readonly priceId: number | undefined })[],
): Promise<readonly WantedItem[] | ItemRefusal> {
  const offers = await Promise.all(items.map(({ priceId }) => readShownOffer(context, priceId)));
  const unknown = offers.indexOf(undefined);
  if (unknown !== -1) return { reason: 'price_unknown', index: unknown };
  return items.flatMap(({ priceId: _, ...item }, index) => {
    const offer = offers[index];
    return offer === undefined ? [] : [{ ...item, offer }];
  });
}

/** Decides which seats a basket gets. The transaction of the basket takes them on the rows that were read here. */
export async function decideSeats(
  context: SaleContext,
  basket: Basket,
  items: readonly WantedItem[],
  wishes: SeatWishes,
): Promise<Decision> {
  const { table, orgId, clock, isPublic } = context;
  const nowUnix = unixSeconds(clock);
  // To the public, a price that needs another code looks like a missing one.
  if (isPublic && items.some(({ offer }) => needsCode(basket, offer)))
    return refused(basket, { reason: 'price_unknown' });
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

/** How many takes are looked at that the kept picture shows as the best. In a sale, their rows may be full by now. */
const maxShownChoices = 12;

type Chosen = BasketRefusal | { readonly seats: readonly string[]; readonly rows: SeenRows };

async function chooseBest(
  context: SaleContext,
  map: SeatMap,
  items: readonly WantedItem[],
  wishes: SeatWishes,
): Promise<Chosen> {
  const wish = wishOf(items, wishes);
  if (wish === undefined) return { reason: 'several_zones' };
  const wished = map.sections.filter(({ section }) => wishes.section === null || section === wishes.section);
  if (wished.length === 0) return { reason: 'section_unknown' };
  const { eventId } = items[0]?.offer.event ?? { eventId: 0 };
  // A stadium has eighty sections, and a zone some of them.
  const offered = wished.filter(({ rows }) => rows.some(({ seats }) => seats.some(({ zone }) => zone === wish.zone)));
  const sections = { eventId, sections: offered.map(({ section }) => section) };
  const picture = await readShownSections(context.table, context.orgId, sections, context.clock.nowMs());
  const shown = bestSeats(map, openRows(offered, picture), wish);
  for (const take of inTurn(shown, maxShownChoices)) {
    const rows = await readSeenRows(context.table, context.orgId, { eventId, map, names: namesOf(map, take) });
    const now = takeNow(map, take, rows, wish);
    if (now !== undefined) return { seats: namesOf(map, now), rows };
  }
  // Only rows as they are now refuse a buyer. The transaction takes the seats on the condition that they are still so.
  const now = await readSections(context.table, context.orgId, sections);
  const best = bestSeats(map, openRows(offered, now), wish);
  if (best.outcome === 'not_together') return { reason: 'seats_not_together' };
  if (best.outcome === 'sold_out') return { reason: 'sold_out', section: wishes.section };
  if (best.outcome !== 'found') return { reason: best.outcome };
  const seats = inTurn(best, 1).flatMap((take) => namesOf(map, take));
  return { seats, rows: await seenRows({ map, names: seats }, async (ref) => rowIn(now, ref)) };
}

/** So many takes, in the order in which a hold tries them: each is one of the nearest that are left. */
function inTurn(best: BestSeats, most: number): readonly BestTake[] {
  if (best.outcome !== 'found') return [];
  const left = [...best.takes];
  const turns = Array.from({ length: Math.min(most, left.length) });
  return turns.flatMap(() => left.splice(randomInt(Math.min(best.among, left.length)), 1));
}

/** Undefined if the prices are of several zones. */
function wishOf(items: readonly WantedItem[], { accessible, together }: SeatWishes): BestWish | undefined {
  const zones = [...new Set(items.map(({ offer }) => offer.category.zone ?? ''))];
  if (zones.length !== 1) return undefined;
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

/** The best seats in the rows of a take as they are now, if they are as good: what was shown may be gone. */
function takeNow(map: SeatMap, take: BestTake, rows: SeenRows, wish: BestWish): BestTake | undefined {
  // A party with wheelchairs may have seats of a row twice: its places, and others.
  const names = new Map(take.rows.map((one) => [rowName(one), one]));
  const open = [...names].flatMap(([name, { section, row }]) => {
    const seen = rows.get(name);
    return seen ? [{ section, row, picture: pictureOf(seen.row, new Set(seen.taken.owners.keys())) }] : [];
  });
  const best = bestSeats(map, open, { ...wish, together: take.isTogether });
  const [now] = best.outcome === 'found' ? best.takes : [];
  return now && (take.leavesSingle || !now.leavesSingle) ? now : undefined;
}
