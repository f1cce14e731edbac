import { type PricedEvent, readPricedEvent } from '../../data/prices/read.ts';
import { readEventSlices } from '../../data/prices/stock.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { Table } from '../../data/table/table.ts';
import { transact } from '../../data/table/transact.ts';
import { closeStock, lookSeconds, openStock, type SeenStocks } from '../../data/waiting-list/closed-stock.ts';
import { listEndUnix } from '../../domain/waiting-list/entry.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { endPaidAndPassedOffers } from './end-waiting-offers.ts';
import type { ListRef, WaitingListDeps } from './waiting-list-deps.ts';
import { walkQueue } from './walk-waiting-queue.ts';

export interface Served {
  /** When to look at the list again; undefined if nobody waits and no offer is open. */
  readonly nextUnix: number | undefined;
}

/**
 * Looks at the waiting list of an event: ends entries whose offers have ended, offers what has come back to the first who fit, and closes
 * and opens stocks (ADR 65). It is safe to repeat, and several may look at once.
 */
export function serveWaitingList(deps: WaitingListDeps, list: ListRef): Promise<Served> {
  return retryRaces('waiting list', () => look(deps, list));
}

/** Undefined if something has changed meanwhile, or was offered: then it looks again at what is left. */
async function look(deps: WaitingListDeps, list: ListRef): Promise<Served | undefined> {
  const { table, clock } = deps;
  const { orgId, eventId } = list;
  const nowUnix = unixSeconds(clock);
  const priced = await readPricedEvent(table, orgId, eventId, { consistent: true });
  if (priced === undefined) return { nextUnix: undefined };
  const openOffers = await endPaidAndPassedOffers(deps, list, priced.event);
  // Before the queue: whoever joins after this moves a slice.
  const seen = { ...list, slices: await readEventSlices(table, orgId, eventId) };
  const walked = await walkQueue(deps, { priced, seen, nowUnix });
  switch (walked.outcome) {
    case 'changed':
      return undefined;
    case 'no_time':
      return { nextUnix: nowUnix };
    case 'quiet': {
      if (!(await followNeed(table, seen, walked.keptClosed))) return undefined;
      const isOver = walked.waiting === 0 && openOffers === 0;
      return { nextUnix: isOver ? undefined : nextLookUnix(priced, nowUnix) };
    }
  }
}

/** Closes the stocks that are kept for somebody, and opens all others. False if one of them has changed since it was read. */
async function followNeed(table: Table, seen: SeenStocks, keptClosed: ReadonlySet<number>): Promise<boolean> {
  const closed = new Set(seen.slices.filter((slice) => slice.closed).map(({ index }) => index));
  const toClose = [...keptClosed].filter((index) => !closed.has(index));
  const toOpen = [...closed].filter((index) => !keptClosed.has(index));
  for (const items of [
    ...toClose.map((index) => closeStock(table, seen, index)),
    ...toOpen.map((index) => openStock(table, seen, index)),
  ]) {
    if ((await transact(table, items)).length > 0) return false;
  }
  return true;
}

/** Each hour, and when the list of a price ends. */
function nextLookUnix({ event, prices, phases }: PricedEvent, nowUnix: number): number {
  const ends = prices
    .map((price) => listEndUnix({ event, price, phases: phases?.phases ?? [] }))
    .filter((endUnix) => endUnix > nowUnix);
  return Math.min(nowUnix + lookSeconds, ...ends);
}
