import { readBasketKey } from '../../shared/data/auth/valid-storefront-tokens.ts';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { isTableUnavailable } from '../../shared/data/table/failures.ts';
import { readEntries, readEntry, readOfferedBaskets } from '../../shared/data/waiting-list/read.ts';
import { addToBasket, cancelBasket } from '../../shared/domain/baskets/changes.ts';
import type { WaitingEntry } from '../../shared/domain/waiting-list/entry.ts';
import { confirmTokenOf } from '../../shared/http/auth/entry-token.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { openBasket as openBasketOperation } from '../../shared/operations/baskets/open-basket.ts';
import { confirmWaitingListEntry } from '../../shared/operations/waiting-lists/confirm-waiting-list-entry.ts';
import { joinWaitingList } from '../../shared/operations/waiting-lists/join-waiting-list.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { FigureTable } from '../report/figures.ts';
import { type SimulatedCloud, startSimulatedCloud } from './cloud.ts';
import { fromStorefront, givenEventOnSale, type OnSale } from './on-sale-event.ts';
import { simulateProcess } from './simulated-process.ts';
import { type CallReport, callReport, callTables } from './statistics.ts';

export interface WaitingListOptions {
  readonly people: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- waiting-list --json`. */
export interface WaitingListReport extends WaitingListOptions, CallReport {
  readonly scenario: 'waiting-list';
  readonly joined: number;
  readonly places_back: number;
  readonly places_offered: number;
  /** Places that others got who do not wait; 0 is right. */
  readonly snatched: number;
  /** People who were offered nothing although somebody behind them with the same wish was; 0 is right. */
  readonly passed_over: number;
  /** Places that are neither left, held nor offered; 0 is right. */
  readonly lost: number;
  /** From a place that comes back to its offer. */
  readonly offer_p50_ms: number;
  readonly offer_p99_ms: number;
  readonly conflicts: number;
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

const places = 300;
const joinSeconds = 60;
const returnSeconds = 60;
const others = 100;

/** People join the list of a price within a minute; then its places come back, one by one, while others try to get them. */
export async function simulateWaitingList(options: WaitingListOptions, startMs: number): Promise<WaitingListReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const cloud = startSimulatedCloud({ time, random, warmThroughput: { read: 60_000, write: 40_000 } });
  const { api } = cloud;
  const work = async (): Promise<WaitingListReport> => {
    const sale = await givenEventOnSale(cloud.data, { prices: 1, tickets: places });
    const held = await holdAll(cloud, sale);
    for (const operation of [joinWaitingList, confirmWaitingListEntry, openBasketOperation, addBasketItem]) {
      await api.load(operation);
    }
    const joins = Array.from({ length: options.people }, (_, client) => join(cloud, sale, client));
    const joined = (await Promise.all(joins)).filter(Boolean).length;
    const returnedMs: number[] = [];
    const offeredMs: number[] = [];
    cloud.table.model.storage.onChange(({ key: { pk }, before }) => {
      if (pk.endsWith('#offers') && before === undefined) offeredMs.push(time.nowMs());
    });
    const snatched = Array.from({ length: others }, (_, index) => snatch(cloud, sale, options.people + index));
    const own = cloud.openTable();
    await Promise.all(
      held.map(async (basketId, index) => {
        await time.sleep((index * returnSeconds * 1000) / held.length);
        await giveBack(cloud, own, sale.orgId, basketId);
        returnedMs.push(time.nowMs());
      }),
    );
    const taken = (await Promise.all(snatched)).reduce((sum, got) => sum + got, 0);
    // What the stream's worker did not get to is left to the sweeper.
    await time.sleep(120_000);
    await cloud.stop();
    const entries = await readEntries(cloud.data, sale.orgId, sale.eventId);
    const offered = entries.filter(({ status }) => status === 'offered');
    const baskets = await readOfferedBaskets(cloud.data, sale.orgId, offered);
    const places_offered = [...baskets.values()]
      .flatMap(({ lines }) => lines)
      .reduce((sum, one) => sum + one.quantity, 0);
    const left = [...(await readStock(cloud.data, sale.orgId, sale.eventId)).values()][0]?.avail ?? 0;
    const waitedMs = waits(returnedMs, offeredMs);
    return {
      ...options,
      scenario: 'waiting-list',
      joined,
      places_back: returnedMs.length,
      places_offered,
      snatched: taken,
      passed_over: passedOver(entries),
      lost: places - left - places_offered - taken,
      offer_p50_ms: percentile(waitedMs, 0.5),
      offer_p99_ms: percentile(waitedMs, 0.99),
      conflicts: cloud.table.physics.counts.conflicts,
      ...callReport(cloud, ['200', '201', '409', '429', '503']),
      timeline: {},
    };
  };
  return time.run(work());
}

/** Every place is in a basket of its own. */
async function holdAll({ data, time }: SimulatedCloud, { orgId, prices }: OnSale): Promise<readonly number[]> {
  const nowUnix = unixSeconds(time);
  const offer = await readOffer(data, orgId, prices[0]?.priceId ?? 0);
  if (offer === undefined) throw new Error('The event has no price.');
  const held: number[] = [];
  for (let place = 0; place < places; place += 1) {
    const { basketId } = await openBasket(data, { orgId, nowUnix });
    const decide: Parameters<typeof changeBasket>[1]['decide'] = (basket) =>
      addToBasket(basket, offer, { quantity: 1 }, nowUnix);
    await changeBasket(data, { orgId, basketId, decide });
    held.push(basketId);
  }
  return held;
}

/** One in four wants two tickets, and half of these take one, too. */
async function join(cloud: SimulatedCloud, sale: OnSale, client: number): Promise<boolean> {
  const { time, random, data } = cloud;
  await time.sleep(random() * joinSeconds * 1000);
  const quantity = client % 4 === 0 ? 2 : 1;
  const body = {
    price_id: sale.prices[0]?.priceId,
    email: `fan${client}@example.com`,
    quantity,
    accept_less: client % 8 === 0,
  };
  const request = { params: { event_id: String(sale.eventId) }, body };
  const sender = { token: sale.storefrontToken, basketToken: undefined, client };
  const asked = await persist(cloud, joinWaitingList, fromStorefront(request, sender));
  if (asked === undefined) return false;
  // The link of the mail.
  const entry_id = String(asked.entry_id);
  const entry = await readEntry(data, sale.orgId, { eventId: sale.eventId, entryId: entry_id });
  const key = await readBasketKey(data, sale.orgId, unixSeconds(time));
  if (key === undefined || entry === undefined) throw new Error('There is no storefront token, or no entry.');
  const confirm_token = confirmTokenOf(key, sale.orgId, entry);
  const confirmation = { params: { ...request.params, entry_id }, body: { confirm_token } };
  return (await persist(cloud, confirmWaitingListEntry, fromStorefront(confirmation, sender))) !== undefined;
}

const maxAttempts = 5;

/** Sends a request until it succeeds. Undefined if it does not. */
async function persist({ time, api }: SimulatedCloud, ...request: Parameters<SimulatedCloud['api']['send']>) {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { status, body, retryAfterSeconds } = await api.send(...request);
    if (status < 300) return body;
    await time.sleep(Math.max(1, retryAfterSeconds) * 1000);
  }
  return undefined;
}

/** Somebody who does not wait tries to get a place again and again. Returns how many they got. */
async function snatch({ time, api }: SimulatedCloud, sale: OnSale, client: number): Promise<number> {
  const sender = { token: sale.storefrontToken, basketToken: undefined, client };
  const opened = await api.send(openBasketOperation, fromStorefront({ body: { org: sale.orgId } }, sender));
  const own = { ...sender, basketToken: String(opened.body.basket_token) };
  const body = { price_id: sale.prices[0]?.priceId, quantity: 1 };
  let got = 0;
  for (let attempt = 0; attempt < returnSeconds / 5; attempt += 1) {
    await time.sleep(5_000);
    const request = { params: { basket_id: String(opened.body.id) }, body };
    const { status } = await api.send(addBasketItem, fromStorefront(request, own));
    if (status < 300) got += 1;
  }
  return got;
}

/** The service is busy at most for a moment: then the basket is given back a little later. */
async function giveBack(
  { time }: SimulatedCloud,
  table: SimulatedCloud['data'],
  orgId: string,
  basketId: number,
): Promise<void> {
  const decide: Parameters<typeof changeBasket>[1]['decide'] = (basket) => cancelBasket(basket, unixSeconds(time));
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    try {
      await changeBasket(table, { orgId, basketId, decide });
      return;
    } catch (error) {
      if (!isTableUnavailable(error)) throw error;
      await time.sleep(1_000);
    }
  }
}

/** Of two people with the same wish, the one who joined first must be served first. */
function passedOver(entries: readonly WaitingEntry[]): number {
  const groups = Map.groupBy(entries, ({ quantity, acceptLess }) => `${quantity} ${acceptLess}`);
  return [...groups.values()].reduce((sum, group) => {
    const inOrder = group.toSorted((one, other) => (one.place < other.place ? -1 : 1));
    const last = inOrder.findLastIndex(({ status }) => status === 'offered');
    return sum + inOrder.slice(0, last + 1).filter(({ status }) => status === 'waiting').length;
  }, 0);
}

/** Each offer takes the places that came back first. */
function waits(returnedMs: readonly number[], offeredMs: readonly number[]): readonly number[] {
  return offeredMs
    .map((ms, index) => Math.max(0, ms - (returnedMs[index] ?? ms)))
    .toSorted((one, other) => one - other);
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function waitingListTables(report: WaitingListReport): readonly FigureTable[] {
  const { joined, people, places_back, places_offered, snatched, passed_over, lost, conflicts } = report;
  const rows = [
    ['people who joined, of', `${joined}, ${people}`],
    ['places that came back, offered', `${places_back}, ${places_offered}`],
    ['p50, p99 from a place that comes back to its offer', `${report.offer_p50_ms}, ${report.offer_p99_ms} ms`],
    ['got by others, passed over, lost', `${snatched}, ${passed_over}, ${lost}`],
    ['conflicts', String(conflicts)],
  ];
  return [{ title: 'Waiting list', columns: ['', 'result'], rows }, ...callTables(report)];
}
