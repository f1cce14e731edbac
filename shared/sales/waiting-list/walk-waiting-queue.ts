import { randomInt } from 'node:crypto';
import { generateOrderId } from '../../data/orders/generate-ids.ts';
import type { PricedEvent } from '../../data/prices/read.ts';
import { endEntry, offerTickets, removePlace } from '../../data/waiting-list/change.ts';
import { isClosedStock, type SeenStocks } from '../../data/waiting-list/closed-stock.ts';
import { offerIn, readEntry, readQueue } from '../../data/waiting-list/read.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { type StockMove, stockRef } from '../../domain/baskets/stock-moves.ts';
import { stockIndexes } from '../../domain/prices/pool.ts';
import { availableIn, type SliceChange, type StockSlice, spreadTake } from '../../domain/prices/slices.ts';
import type { QueuedWish } from '../../domain/waiting-list/entry.ts';
import { filledBasket, turnOf } from '../../domain/waiting-list/who-fits.ts';
import { waitingListEvent } from '../../mappers/waiting-entry.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import type { WaitingListDeps } from './waiting-list-deps.ts';

interface Look {
  readonly priced: PricedEvent;
  readonly seen: SeenStocks;
  readonly nowUnix: number;
}

type Walked =
  /** Something was offered or ended, or has changed meanwhile. */
  | { readonly outcome: 'changed' | 'no_time' }
  | {
      readonly outcome: 'quiet';
      /** The stocks that are closed for somebody who waits: they have too few, or the price is paused. */
      readonly keptClosed: ReadonlySet<number>;
      readonly waiting: number;
    };

/** Walks the queue in its order, and offers what is there to each who fits. Whoever does not fit keeps the place, and blocks nobody. */
export async function walkQueue(deps: WaitingListDeps, look: Look): Promise<Walked> {
  const stocks = new StocksLeft(look.seen);
  const keptClosed = new Set<number>();
  const isDecided = decided(look, stocks, keptClosed);
  let waiting = 0;
  let isChanged = false;
  for await (const wishes of readQueue(deps.table, look.seen.orgId, look.seen.eventId)) {
    waiting += wishes.length;
    for (const wish of wishes) {
      const turn = await takeTurn(deps, look, { wish, stocks });
      if (!('keptClosed' in turn)) return turn;
      isChanged ||= turn.outcome === 'done';
      for (const index of turn.keptClosed) keptClosed.add(index);
    }
    if (isDecided()) break;
  }
  return isChanged ? { outcome: 'changed' } : { outcome: 'quiet', keptClosed, waiting };
}

type Taken =
  | { readonly outcome: 'changed' | 'no_time' }
  /** The person is served, or waits on, and these stocks stay closed meanwhile. */
  | { readonly outcome: 'done' | 'waits'; readonly keptClosed: readonly number[] };

async function takeTurn(
  deps: WaitingListDeps,
  look: Look,
  { wish, stocks }: { readonly wish: QueuedWish; readonly stocks: StocksLeft },
): Promise<Taken> {
  const offer = offerIn(look.priced, wish.priceIndex);
  const turn = turnOf(wish, offer, (index) => stocks.left(index), look.nowUnix);
  if (turn.outcome === 'too_few') return { outcome: 'waits', keptClosed: turn.stocks };
  if (turn.outcome === 'paused') {
    return { outcome: 'waits', keptClosed: turn.stocks.filter((index) => isClosedStock(look.seen, index)) };
  }
  if (!deps.hasTime()) return { outcome: 'no_time' };
  const isDone =
    turn.outcome === 'fits' && offer !== undefined
      ? await makeOffer(deps, look, { wish: { ...wish, quantity: turn.quantity }, offer, stocks })
      : await endPlace(deps, look, wish);
  return isDone ? { outcome: 'done', keptClosed: [] } : { outcome: 'changed' };
}

/**
 * Whether the rest of the queue decides nothing: everybody waits for a closed stock, and all of them are empty and stay closed. A price with
 * two stocks may need another one closed.
 */
function decided({ priced, seen }: Look, stocks: StocksLeft, keptClosed: ReadonlySet<number>): () => boolean {
  const closed = [...new Set(seen.slices.filter((slice) => slice.closed).map(({ index }) => index))];
  const isSimple = closed.length > 0 && priced.prices.every((price) => stockIndexes(price).length < 2);
  return () => isSimple && closed.every((index) => stocks.left(index) === 0 && keptClosed.has(index));
}

interface Fitting {
  readonly wish: QueuedWish;
  readonly offer: Offer;
  readonly stocks: StocksLeft;
}

/** False if the entry or a stock has changed since it was read. */
async function makeOffer(
  { table, clock }: WaitingListDeps,
  { seen: { orgId, eventId }, nowUnix }: Look,
  { wish, offer, stocks }: Fitting,
): Promise<boolean> {
  const before = await readEntry(table, orgId, { eventId, entryId: wish.entryId });
  if (before?.status !== 'waiting' || before.place !== wish.place) {
    await removePlace(table, orgId, eventId, wish.place);
    return true;
  }
  const { emailAddress } = before;
  const filled = filledBasket(generateOrderId(nowUnix), offer, { quantity: wish.quantity, emailAddress }, nowUnix);
  const changes = filled && stocks.take(filled.takes);
  if (filled === undefined || changes === undefined) return false;
  const offered = await offerTickets(table, { orgId, before, nowUnix }, { ...filled, changes }, (entry) =>
    outboxItems(table, orgId, waitingListEvent('waiting_list.offered', entry), {
      nowMs: clock.nowMs(),
      requestId: undefined,
    }),
  );
  return offered !== undefined;
}

/** The list has ended, so nobody waits any more. */
async function endPlace({ table }: WaitingListDeps, { seen: { orgId, eventId }, nowUnix }: Look, wish: QueuedWish) {
  const before = await readEntry(table, orgId, { eventId, entryId: wish.entryId });
  if (before?.status === 'waiting' && before.place === wish.place) {
    return (await endEntry(table, { orgId, before, nowUnix }, { status: 'passed' })) !== undefined;
  }
  await removePlace(table, orgId, eventId, wish.place);
  return true;
}

/** What the slices have, while offers are made. The transactions decide; this only knows where to take from. */
class StocksLeft {
  readonly #slices: Map<number, readonly StockSlice[]>;

  constructor({ slices }: SeenStocks) {
    this.#slices = new Map(Map.groupBy(slices, ({ index }) => index));
  }

  left(index: number): number {
    return availableIn(this.#slices.get(index) ?? []);
  }

  /** Takes tickets out of slices; undefined if a stock has too few. */
  take(takes: readonly StockMove[]): ReadonlyMap<number, readonly SliceChange[]> | undefined {
    const changes = new Map<number, readonly SliceChange[]>();
    for (const { stock, tickets } of takes) {
      const { index } = stockRef(stock);
      const change = spreadTake(this.#slices.get(index) ?? [], tickets, randomInt);
      if (change === undefined) return undefined;
      changes.set(index, change);
    }
    for (const [index, moved] of changes) {
      const after = (this.#slices.get(index) ?? []).map((slice) => ({
        ...slice,
        avail: slice.avail + (moved.find((one) => one.slice === slice.slice)?.tickets ?? 0),
      }));
      this.#slices.set(index, after);
    }
    return changes;
  }
}
