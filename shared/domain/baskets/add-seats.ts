import type { CodeCampaign } from '../codes/campaign.ts';
import { leftSingle } from '../seats/left-single.ts';
import type { SeatRefusal } from '../seats/refusals.ts';
import { pictureOf, type RowPicture } from '../seats/row-picture.ts';
import { type MapSeat, seatName } from '../seats/seat-map.ts';
import { basketOwner, rowName, type SeenRow, type SeenRows, seatMoves } from '../seats/seat-moves.ts';
import { seatIn, shownRows, takeProblem } from '../seats/seen-rows.ts';
import { type Basket, expiryWith } from './basket.ts';
import { type Decision, limitRefusal, refused, saleRefusal } from './changes.ts';
import { adjustmentsOf } from './code-adjustments.ts';
import { type GivenHolder, holdersOf, holdersProblem } from './holders.ts';
import { basketTickets, type LineItem } from './line-item.ts';
import { lineOf, type Offer, takesOf } from './offer.ts';
import { type StockMove, stockName } from './stock-moves.ts';

/** Tickets of one price with their seats. */
export interface SeatedItem {
  readonly offer: Offer;
  /** The full names of the seats, one for each ticket. */
  readonly seats: readonly string[];
  readonly holders: readonly GivenHolder[];
}

interface TakeContext {
  readonly rows: SeenRows;
  /** Whether the buyer picked the seats: then the rule about single seats is asked. The best seats were chosen by it. */
  readonly isPicked: boolean;
  /** The campaign of the basket's code; undefined if it has none. */
  readonly campaign: CodeCampaign | undefined;
  readonly nowUnix: number;
}

/** Adds tickets with their seats, all or none. Every item is a line of its own. */
export function addSeats(basket: Basket, items: readonly SeatedItem[], context: TakeContext): Decision {
  const { rows, isPicked, campaign, nowUnix } = context;
  for (const { offer } of items) {
    const refusal = saleRefusal(basket, offer, nowUnix);
    if (refusal !== undefined) return refused(basket, refusal);
  }
  const [first] = items;
  if (first === undefined || items.some(({ offer }) => offer.event.eventId !== first.offer.event.eventId)) {
    return refused(basket, { reason: 'other_event' });
  }
  const { eventId, currency, allowSingleSeats } = first.offer.event;
  const problem =
    seatsProblem(items, rows) ??
    companionProblem(basket, items, rows) ??
    (isPicked && !allowSingleSeats ? singleProblem(basket, items, rows) : undefined);
  if (problem !== undefined) return refused(basket, problem);
  const added = items.map(({ offer, seats, holders }, index): LineItem => {
    const quantity = seats.length / offer.price.ticketsIncluded;
    const needed = seats.flatMap((seat) => seatIn(rows, seat)?.companionOf ?? []);
    const line = lineOf(offer, { lineId: basket.lastLineId + 1 + index, quantity });
    const plain = { ...line, seats, holders: holdersOf(holders, line), neededSeats: [...new Set(needed)] };
    return { ...plain, adjustments: campaign ? adjustmentsOf({ ...basket, currency }, plain, campaign) : [] };
  });
  const lines = [...basket.lines, ...added];
  const limit = added
    .map(
      (line, index) => holdersProblem(line) ?? limitRefusal(basket, lines, items[index]?.offer ?? first.offer, nowUnix),
    )
    .find((refusal) => refusal !== undefined);
  if (limit !== undefined) return refused(basket, limit);
  return {
    outcome: 'changed',
    basket: {
      ...basket,
      eventId,
      currency,
      lines,
      lastLineId: basket.lastLineId + added.length,
      expiresUnix: expiryWith(basket, nowUnix),
    },
    takes: mergedTakes(items.map(({ offer }, index) => takesOf(offer, basketTickets(added.slice(index, index + 1))))),
    seatRows: rows,
  };
}

/** Two prices of one call may share a pool. */
function mergedTakes(takes: readonly (readonly StockMove[])[]): readonly StockMove[] {
  const merged = new Map<string, StockMove>();
  for (const take of takes.flat()) {
    const known = merged.get(stockName(take.stock));
    merged.set(stockName(take.stock), { ...take, tickets: take.tickets + (known?.tickets ?? 0) });
  }
  return [...merged.values()];
}

function seatsProblem(items: readonly SeatedItem[], rows: SeenRows): SeatRefusal | undefined {
  const problem = items.map((item) => itemProblem(item, rows)).find((one) => one !== undefined);
  const all = items.flatMap(({ seats }) => seats);
  return problem ?? takeProblem(all, rows);
}

function itemProblem({ offer, seats }: SeatedItem, rows: SeenRows): SeatRefusal | undefined {
  const { ticketsIncluded } = offer.price;
  if (seats.length % ticketsIncluded !== 0) return { reason: 'other_seat_count', seats: seats.length, ticketsIncluded };
  const sold = offer.category.zone ?? '';
  const unknown = seats.find((seat) => seatIn(rows, seat) === undefined);
  if (unknown !== undefined) return { reason: 'seat_unknown', seat: unknown };
  const seat = seats.find((one) => seatIn(rows, one)?.zone !== sold);
  return seat === undefined
    ? undefined
    : { reason: 'seat_wrong_zone', seat, zone: seatIn(rows, seat)?.zone ?? '', sold };
}

/** A companion seat is sold with its wheelchair place. */
function companionProblem(basket: Basket, items: readonly SeatedItem[], rows: SeenRows): SeatRefusal | undefined {
  const all = new Set([...basket.lines, ...items].flatMap(({ seats }) => seats));
  const alone = items
    .flatMap(({ seats }) => seats)
    .find((seat) => {
      const companionOf = seatIn(rows, seat)?.companionOf ?? null;
      return companionOf !== null && !all.has(companionOf);
    });
  return alone === undefined ? undefined : { reason: 'companion_only', seat: alone };
}

/** The row as every rule sees it: what the basket has in it counts as open. */
function pictureFor({ row, taken }: SeenRow, { basketId }: Pick<Basket, 'basketId'>): RowPicture {
  const own = basketOwner(basketId);
  const others = [...taken.owners].flatMap(([label, owner]) => (owner === own ? [] : [label]));
  return pictureOf(row, new Set(others));
}

function singleProblem(basket: Basket, items: readonly SeatedItem[], rows: SeenRows): SeatRefusal | undefined {
  const zones = new Set(items.map(({ offer }) => offer.category.zone));
  const isOffered = ({ zone, kind }: MapSeat): boolean =>
    zones.has(zone) && (kind === 'standard' || kind === 'restricted_view');
  const { eventId } = items[0]?.offer.event ?? { eventId: 0 };
  const own = new Map(
    seatMoves(
      eventId,
      basket.lines.flatMap(({ seats }) => seats),
    ).map((move) => [rowName(move), move.labels]),
  );
  for (const move of seatMoves(
    eventId,
    items.flatMap(({ seats }) => seats),
  )) {
    const seen = rows.get(rowName(move));
    if (seen === undefined) continue;
    const { seats } = seen.row;
    const places = (labels: readonly string[]) =>
      labels.map((label) => seats.findIndex((seat) => seat.label === label)).filter((place) => place !== -1);
    const nameAt = (place: number): string => seatName(move.section, move.row, seats[place]?.label ?? '');
    const left = leftSingle({
      picture: pictureFor(seen, basket),
      others: places(own.get(rowName(move)) ?? []),
      take: places(move.labels),
      isOffered,
    });
    if (left === undefined) continue;
    const instead = left.instead.map((take) => take.map(nameAt));
    const seat = nameAt(left.single);
    return { reason: 'leaves_single_seat', seat, instead, rows: shownRows([seat], rows) };
  }
  return undefined;
}
