import * as v from 'valibot';
import { handle as handleJoin } from '../../functions/api/waiting-lists/join-waiting-list.ts';
import { handle as handleLeave } from '../../functions/api/waiting-lists/leave-waiting-list.ts';
import { handle as handleList } from '../../functions/api/waiting-lists/list-waiting-list.ts';
import { auditStock } from '../../shared/data/audit/stock.ts';
import { auditWaitingList } from '../../shared/data/audit/waiting-list.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { ListedWaitingEntry, WaitingEntryWithToken } from '../../shared/operations/schemas/waiting-entry.ts';
import { joinWaitingList } from '../../shared/operations/waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from '../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { listWaitingList } from '../../shared/operations/waiting-lists/list-waiting-list.ts';
import { readFeed } from '../../shared/outbox/feed.ts';
import { serveWaitingList } from '../../shared/sales/waiting-list/serve-waiting-list.ts';
import { sweepWaitingLists } from '../../shared/sales/waiting-list/sweep-waiting-lists.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, type TestCheckoutDeps } from './baskets.ts';
import { callHandler } from './call-handler.ts';

export type Deps = TestCheckoutDeps;
type Entry = v.InferOutput<typeof WaitingEntryWithToken>;

const callOf = ({ table, orgId, clock }: Deps) => ({ table, orgId, nowMs: clock.nowMs() });
const ofEvent = ({ eventId }: Pick<PriceRecord, 'eventId'>) => ({ event_id: String(eventId) });

export interface Wish {
  readonly quantity?: number;
  readonly accept_less?: boolean;
}

/** Joins by the organisation's server. */
export async function join(deps: Deps, price: PriceRecord, name: string, wish: Wish = {}): Promise<Entry> {
  const email = name.includes('@') ? name : `${name}@example.com`;
  const body = { price_id: price.priceId, email, ...wish };
  const answer = await callHandler(joinWaitingList, handleJoin, { params: ofEvent(price), body }, callOf(deps));
  return v.parse(WaitingEntryWithToken, answer);
}

export function leave(deps: Deps, { event_id, entry_id }: Pick<Entry, 'event_id' | 'entry_id'>) {
  return callHandler(leaveWaitingList, handleLeave, { params: { event_id, entry_id } }, callOf(deps));
}

export async function list(
  deps: Deps,
  event: Pick<PriceRecord, 'eventId'>,
): Promise<readonly v.InferOutput<typeof ListedWaitingEntry>[]> {
  const { data } = await callHandler(listWaitingList, handleList, { params: ofEvent(event) }, callOf(deps));
  return v.parse(v.array(ListedWaitingEntry), data);
}

/** The names of those in the list, each with its status. */
export async function statuses(deps: Deps, event: Pick<PriceRecord, 'eventId'>): Promise<readonly string[]> {
  return (await list(deps, event)).map(({ email, status }) => `${email?.split('@')[0]} ${status}`);
}

/** What the stream's worker does after a change of the stock. */
export function serve(deps: Deps, { eventId }: Pick<PriceRecord, 'eventId'>) {
  return serveWaitingList({ ...deps, hasTime: () => true }, { orgId: deps.orgId, eventId });
}

/** What sweep-stock does each minute. */
export const sweepLists = (deps: Deps) => sweepWaitingLists({ ...deps, hasTime: () => true });

let made = 0;

/** A price with so many tickets, all of them sold, each in an order of its own. */
export async function givenSoldOut(table: Table, capacity: number) {
  made += 1;
  const deps = checkoutDepsOf(table, `org_waiting${made}`);
  await givenOrganisation(table, deps.orgId);
  const { event, price } = await givenOnSale(table, deps.orgId, { capacity });
  const orders: number[] = [];
  for (let sold = 0; sold < capacity; sold += 1) orders.push(await buy(deps, price));
  return { deps, event, price, orders };
}

async function buy(deps: Deps, price: PriceRecord, quantity = 1): Promise<number> {
  const { basketId } = await givenBasket(deps, price, quantity);
  const { outcome } = await checkOutWith(deps, basketId);
  if (outcome !== 'confirmed') throw new Error(outcome);
  return basketId;
}

/** What somebody gets who is not in the list. */
export async function snatch(deps: Deps, price: PriceRecord, basketId: number): Promise<string> {
  const added = await addItem(deps, basketId, price);
  return added.outcome === 'refused' ? added.refusal.reason : added.outcome;
}

export async function leftOf({ table, orgId }: Deps, { eventId, index }: Pick<PriceRecord, 'eventId' | 'index'>) {
  return (await readStock(table, orgId, eventId)).get(index);
}

export async function audited({ table, orgId, nowUnix }: Deps, { eventId }: Pick<PriceRecord, 'eventId'>) {
  const event = { orgId, eventId };
  return [...((await auditStock(table, event)) ?? []), ...(await auditWaitingList(table, event, nowUnix))];
}

/** The types of the events of waiting lists, in their order, each with whom it is about. */
export async function announced({ table, orgId, nowUnix }: Deps): Promise<readonly string[]> {
  const nowMs = (nowUnix + 60) * 1000;
  const { events } = await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs });
  return events
    .filter(({ type }) => type.startsWith('waiting_list.'))
    .map(({ type, body }) => {
      const { data } = v.parse(Announced, JSON.parse(body));
      return `${type.split('.')[1]} ${data.waiting_list_entry.email.split('@')[0]}`;
    });
}

const Announced = v.object({ data: v.object({ waiting_list_entry: v.object({ email: v.string() }) }) });
