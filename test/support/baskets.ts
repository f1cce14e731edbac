import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { changeBasket, openBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { readSales } from '../../shared/data/counters/sales.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import { readPriceList } from '../../shared/data/prices/read.ts';
import { type PriceDraft, savePrice } from '../../shared/data/prices/save-price.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { addressCountKey, sandboxChargeKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Basket, ClientAddress } from '../../shared/domain/baskets/basket.ts';
import { addToBasket, type ChangedBasket } from '../../shared/domain/baskets/changes.ts';
import type { GivenHolder } from '../../shared/domain/baskets/holders.ts';
import { movesOf } from '../../shared/domain/baskets/stock-moves.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import { type PoolRecord, stockIndexes } from '../../shared/domain/prices/pool.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';
import { readFeed } from '../../shared/outbox/feed.ts';
import type { PaymentProvider } from '../../shared/payments/provider.ts';
import { sandboxProvider } from '../../shared/payments/sandbox.ts';
import { findCharge } from '../../shared/payments/sandbox-charges.ts';
import { decideSandboxPayment } from '../../shared/payments/sandbox-token.ts';
import { type CheckoutCommand, checkOut } from '../../shared/sales/checkout/check-out.ts';
import type { CheckedOut } from '../../shared/sales/checkout/outcomes.ts';
import {
  type PrepareCommand,
  type PreparePaymentResult,
  preparePayment,
} from '../../shared/sales/checkout/prepare-payment.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';
import { farFutureUnix, givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';

/** Saturday noon, a week before the match. */
export const noonUnix = Date.UTC(2026, 10, 7, 12) / 1000;

export interface OnSale {
  readonly event: EventRecord;
  readonly price: PriceRecord;
}

/** A published event with one price on sale. It starts so late that tests on the real clock can buy too. */
export async function givenOnSale(table: Table, orgId: string, changes: Partial<PriceDraft> = {}): Promise<OnSale> {
  const event = await givenEvent(table, orgId, { startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId: event.eventId });
  return { event, price: await givenPrice(table, orgId, { eventId: event.eventId, categoryId, ...changes }) };
}

export interface Terrace {
  readonly event: EventRecord;
  readonly pool: PoolRecord;
  readonly adult: PriceRecord;
  readonly junior: PriceRecord;
}

/** Two prices that share a pool. `juniors` is the most that one of them may sell. */
export async function givenTerrace(
  table: Table,
  orgId: string,
  { capacity, juniors = null }: { readonly capacity: number; readonly juniors?: number | null },
): Promise<Terrace> {
  const event = await givenEvent(table, orgId, { startUnix: farFutureUnix });
  const { eventId } = event;
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const pool = await givenPool(table, orgId, { eventId, capacity });
  const inPool = { eventId, categoryId, poolIndex: pool.index };
  const adult = await givenPrice(table, orgId, { ...inPool, capacity: null });
  const junior = await givenPrice(table, orgId, { ...inPool, capacity: juniors });
  return { event, pool, adult, junior };
}

/** A price with few tickets, spread over three slices: it had more before. */
export async function givenSlicedOnSale(table: Table, orgId: string, capacity: number): Promise<OnSale> {
  const { event, price } = await givenOnSale(table, orgId, { capacity: 300 });
  const { index: _, priceId: __, version: ___, stockSlices: ____, ...fields } = price;
  const draft = { ...fields, currency: event.currency };
  await savePrice(table, orgId, { ...draft, capacity: 0 });
  const saved = await savePrice(table, orgId, { ...draft, capacity });
  if (!('price' in saved)) throw new Error(`The capacity was not changed: ${saved.outcome}`);
  return { event, price: saved.price };
}

/** Checkout dependencies with a clock that a test can move, and a sandbox that a test can wrap with `around`. */
export interface TestCheckoutDeps extends CheckoutDeps {
  nowUnix: number;
}

export function checkoutDepsOf(
  table: Table,
  orgId: string,
  { around = (provider) => provider, timeoutMs = 30_000 }: CheckoutDepsOptions = {},
): TestCheckoutDeps {
  const provider = around(sandboxProvider(table));
  let readings = 0;
  const checkoutDeps: TestCheckoutDeps = {
    table,
    orgId,
    requestId: 'req-1',
    nowUnix: noonUnix,
    // Within a second the clock advances a little with every reading, so events have an order.
    clock: { nowMs: () => checkoutDeps.nowUnix * 1000 + Math.min(999, readings++) },
    payments: { current: async () => provider, byName: async () => provider, timeoutMs },
  };
  return checkoutDeps;
}

let made = 0;

/** Checkout dependencies of a new organisation. */
export function newCheckoutDeps(table: Table, options?: CheckoutDepsOptions): TestCheckoutDeps {
  made += 1;
  return checkoutDepsOf(table, `org_${made}`, options);
}

/** Every order.completed event, parsed with the public schema. */
export async function completedEvents({ table, orgId, nowUnix }: TestCheckoutDeps) {
  const nowMs = (nowUnix + 60) * 1000;
  const { events } = await readFeed(table, orgId, { limit: 100, after: undefined, sinceMs: 0, untilMs: nowMs, nowMs });
  return events.map(({ body }) => v.parse(webhookEvents['order.completed'], JSON.parse(body)));
}

/** Stops waiting for an unanswered payment after 20 milliseconds instead of ten seconds. */
export const shortTimeout = {
  around: (provider: PaymentProvider): PaymentProvider => ({
    ...provider,
    confirm: (charge) => provider.confirm(charge, AbortSignal.timeout(20)),
  }),
};

interface CheckoutDepsOptions {
  readonly around?: (provider: PaymentProvider) => PaymentProvider;
  readonly timeoutMs?: number;
}

export async function addItem(
  { table, orgId, nowUnix }: TestCheckoutDeps,
  basketId: number,
  price: PriceRecord,
  added: number | readonly GivenHolder[] = 1,
): Promise<ChangedBasket> {
  const item = typeof added === 'number' ? { quantity: added } : { quantity: added.length, holders: added };
  return changeBasket(table, {
    orgId,
    basketId,
    decide: async (basket) => {
      const offer = await readOffer(table, orgId, price.priceId);
      if (offer === undefined) throw new Error('There is no such price.');
      return addToBasket(basket, offer, item, nowUnix);
    },
  });
}

/** An open basket that holds this quantity of a price. */
export async function givenBasket(
  checkoutDeps: TestCheckoutDeps,
  price: PriceRecord,
  quantity = 1,
  openedFrom: ClientAddress | null = null,
): Promise<Basket> {
  const { basketId } = await openBasket(checkoutDeps.table, { ...checkoutDeps, openedFrom });
  const added = await addItem(checkoutDeps, basketId, price, quantity);
  if (added.outcome !== 'changed') throw new Error(`The item was not added: ${JSON.stringify(added)}`);
  return added.basket;
}

export const ada = { emailAddress: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' } as const;

export function checkOutWith(
  checkoutDeps: TestCheckoutDeps,
  basketId: number,
  changes: Partial<CheckoutCommand> = {},
): Promise<CheckedOut> {
  return checkOut(checkoutDeps, { basketId, buyer: ada, paymentMethod: 'pm_card_visa', ...changes }, () => []);
}

export function prepareWith(
  checkoutDeps: TestCheckoutDeps,
  basketId: number,
  changes: Partial<PrepareCommand> = {},
): Promise<PreparePaymentResult> {
  return preparePayment(checkoutDeps, { basketId, buyer: ada, returnUrl: null, ...changes });
}

/** The buyer decides about all payments of a basket on the page of the sandbox, ended ones included. */
export async function decideInSandbox(
  deps: TestCheckoutDeps,
  basketId: number,
  decision: 'approve' | 'fail',
): Promise<void> {
  const { table, orgId } = deps;
  const charges = (await chargesOf(deps)).filter(({ sk }) => sk.startsWith(`sbx_${basketId}-`));
  for (const { sk: chargeId } of charges) {
    const charge = await findCharge(table, { orgId, chargeId });
    if (charge !== undefined) await decideSandboxPayment(table, charge, decision);
  }
}

export async function statusOf({ table, orgId }: CheckoutDeps, basketId: number): Promise<string | undefined> {
  return (await readBasket(table, orgId, basketId))?.status;
}

export interface SandboxCharge {
  readonly status: string;
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly sk: string;
}

/** Every sandbox charge of an organisation, whatever its status. */
export async function chargesOf({ table, orgId }: CheckoutDeps): Promise<SandboxCharge[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': sandboxChargeKey(orgId, '').pk },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ status, amountMinor, refundedMinor, sk }) => ({ status, amountMinor, refundedMinor, sk }));
}

export async function paidCharges(checkoutDeps: CheckoutDeps): Promise<SandboxCharge[]> {
  return (await chargesOf(checkoutDeps)).filter(({ status }) => status === 'paid');
}

export interface Counted {
  readonly available: number;
  readonly held: number;
  readonly sold: number;
  readonly capacity: number;
}

/** Where the tickets of a price or a pool are: baskets hold the held ones, counters count the sold ones. */
export async function ticketsOf(
  { table, orgId }: CheckoutDeps,
  { eventId, index }: PriceRecord | PoolRecord,
  basketIds: readonly number[],
): Promise<Counted> {
  const stock = (await readStock(table, orgId, eventId)).get(index) ?? { avail: 0, capacity: 0 };
  const sales = await readSales(table, orgId, eventId);
  const baskets = await Promise.all(basketIds.map((id) => readBasket(table, orgId, id)));
  const holding = baskets.filter((basket) => basket?.status === 'open' || basket?.status === 'checking_out');
  const moves = holding.flatMap((basket) => movesOf(eventId, basket?.lines ?? []));
  const { prices } = await readPriceList(table, orgId, eventId, { consistent: true });
  const sold = prices.filter((price) => stockIndexes(price).includes(index)).map((price) => sales.get(price.index));
  return {
    available: stock.avail,
    capacity: stock.capacity,
    held: moves
      .filter(({ stock }) => stock.kind === 'event' && stock.index === index)
      .reduce((sum, { tickets }) => sum + tickets, 0),
    sold: sold.reduce((sum, counts) => sum + (counts?.tickets ?? 0), 0),
  };
}

/** The tickets that a client address holds, as its counter says. */
export async function countedFor(table: Table, orgId: string, { tokenId, address }: ClientAddress): Promise<number> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: addressCountKey(orgId, tokenId, address), ConsistentRead: true }),
  );
  return Number(Item?.tickets ?? 0);
}
