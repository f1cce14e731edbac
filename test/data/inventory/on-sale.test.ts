import { beforeAll, expect, it, vi } from 'vitest';
import { handle as handleBlock } from '../../../functions/api/seat-maps/create-seat-block.ts';
import { handle as handleUnblock } from '../../../functions/api/seat-maps/delete-seat-block.ts';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { moveTicketSeat } from '../../../shared/data/orders/move-seat.ts';
import { readOrderRef, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { isSold } from '../../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { createSeatBlock } from '../../../shared/operations/seat-maps/create-seat-block.ts';
import { deleteSeatBlock } from '../../../shared/operations/seat-maps/delete-seat-block.ts';
import { givenPool, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, checkOutWith, givenSlicedOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, sellAtCounter } from '../../support/counter.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { seededInts } from '../../support/faults/seeded-ints.ts';
import { inventoryOf, wrongIn } from '../../support/inventory.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { givenClub } from '../../support/season-seats.ts';
import { addSeatsTo } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';
import { join, serve } from '../../support/waiting-list.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const below = seededInts();
const oneOf = <Value>(values: readonly Value[]): Value | undefined => values[below(values.length)];

/** Buyers who hold, pay, give up and are refunded, one step at a time. */
class Buyers {
  readonly #deps: TestCheckoutDeps;
  readonly #add: (basketId: number) => Promise<{ readonly outcome: string }>;
  readonly #baskets = new Set<number>();
  readonly orders = new Set<number>();

  constructor(deps: TestCheckoutDeps, add: (basketId: number) => Promise<{ readonly outcome: string }>) {
    this.#deps = deps;
    this.#add = add;
  }

  readonly hold = async (): Promise<void> => {
    const { basketId } = await openBasket(table, this.#deps);
    const { outcome } = await this.#add(basketId);
    if (outcome === 'changed') this.#baskets.add(basketId);
  };

  readonly pay = async (): Promise<void> => {
    const basketId = oneOf([...this.#baskets]);
    if (basketId === undefined || !this.#baskets.delete(basketId)) return;
    const { outcome } = await checkOutWith(this.#deps, basketId);
    if (outcome === 'confirmed') this.orders.add(basketId);
  };

  /** A sale between two reads: what the first one saw as free is sold for the second one. */
  readonly buy = async (): Promise<void> => {
    await this.hold();
    await this.pay();
  };

  /** Staff give tickets away at the counter. */
  readonly giveAway = async (): Promise<void> => {
    const { basketId } = await openBasket(table, { ...this.#deps, channel: 'counter' });
    if ((await this.#add(basketId)).outcome !== 'changed') return;
    const free = { ...cash, kind: 'complimentary', reason: 'Press' } as const;
    const { outcome } = await sellAtCounter(this.#deps, basketId, free);
    if (outcome === 'confirmed') this.orders.add(basketId);
  };

  readonly giveUp = async (): Promise<void> => {
    const basketId = oneOf([...this.#baskets]);
    if (basketId === undefined || !this.#baskets.delete(basketId)) return;
    await changeBasket(table, {
      ...this.#deps,
      basketId,
      decide: (basket) => cancelBasket(basket, this.#deps.nowUnix),
    });
  };

  readonly refund = async (): Promise<void> => {
    const orderId = oneOf([...this.orders]);
    if (orderId === undefined || !this.orders.delete(orderId)) return;
    await refundOrder(this.#deps, { orderId, tickets: 'all' });
  };
}

/** Reads the inventory again and again, while something happens before each of its reads. */
async function readWhile(
  { orgId }: TestCheckoutDeps,
  eventId: number,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const busy = faultyTable(
    table,
    async (send) => {
      for (let count = 1 + below(3); count > 0; count -= 1) await oneOf(steps)?.();
      await send();
    },
    /^(Query|Get|BatchGet)/,
  );
  for (let reading = 0; reading < amount(5, 150); reading += 1) {
    expect(wrongIn(await inventoryOf(busy, orgId, eventId))).toEqual([]);
  }
  expect(wrongIn(await inventoryOf(table, orgId, eventId))).toEqual([]);
  expect(await findingsOf(table, orgId)).toEqual([]);
}

it('the inventory of prices, a pool and offers adds up at every moment of an on-sale', async () => {
  const { deps, orgId } = await givenClub(table, aSeatMap([{ row: 'A', seats: '1-2' }]));
  const { event, price: sliced } = await givenSlicedOnSale(table, orgId, 14);
  const { eventId } = event;
  const pool = await givenPool(table, orgId, { eventId, capacity: 6 });
  const inPool = { eventId, categoryId: sliced.categoryId, poolIndex: pool.index };
  const adult = await givenPrice(table, orgId, { ...inPool, capacity: null });
  const junior = await givenPrice(table, orgId, { ...inPool, capacity: 2 });
  const last = await givenPrice(table, orgId, { eventId, categoryId: sliced.categoryId, capacity: 2 });
  const prices: readonly PriceRecord[] = [sliced, adult, junior, last];
  const buyers = new Buyers(deps, (basketId) => addItem(deps, basketId, oneOf(prices) ?? sliced, 1 + below(3)));
  let names = 0;
  const wait = async () => {
    names += 1;
    await join(deps, last, `fan${names}`).catch(() => undefined);
  };
  const offer = () => serve(deps, last);
  const { hold, pay, buy, giveAway, giveUp, refund } = buyers;
  await readWhile(deps, eventId, [hold, pay, buy, giveAway, giveUp, refund, wait, offer]);
});

it('the inventory of numbered seats adds up while they are sold, moved, blocked and returned', async () => {
  const map = aSeatMap([
    { row: 'A', seats: '1-8' },
    { row: 'B', seats: '1-8' },
    { section: 'Balcony', row: 'A', seats: '1-6' },
  ]);
  const { deps, orgId, join: newMember, sit, draft, publish } = await givenClub(table, map);
  await sit(await newMember(), 'Stalls/A/8');
  const eventId = await draft('Match', { allow_single_seats: true });
  const prices: PriceRecord[] = [];
  for (const zone of ['Stalls', 'Balcony']) {
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, code: zone, zone });
    prices.push(await givenPrice(table, orgId, { eventId, categoryId, capacity: null, seatsOnly: true }));
  }
  await runDueJobs(deps);
  await publish(eventId);
  const [stalls] = prices;
  if (stalls === undefined) throw new Error('There is no price.');
  const buyers = new Buyers(deps, (basketId) => addSeatsTo(deps, basketId, oneOf(prices) ?? stalls, 1 + below(3)));
  const params = { event_id: String(eventId) };
  const call = { table, orgId, nowMs: deps.nowUnix * 1000 };
  const seat = () => `Stalls/${oneOf(['A', 'B'])}/${1 + below(8)}`;
  const blocks: string[] = [];
  const block = () =>
    callHandler(createSeatBlock, handleBlock, { params, body: { seats: [seat()] } }, call).then(
      ({ seat_block_id }) => blocks.push(String(seat_block_id)),
      () => undefined,
    );
  const unblock = async () => {
    const seat_block_id = blocks.pop();
    if (seat_block_id === undefined) return;
    await callHandler(deleteSeatBlock, handleUnblock, { params: { ...params, seat_block_id } }, call);
  };
  const move = async () => {
    const orderId = oneOf([...buyers.orders]);
    const found = orderId === undefined ? undefined : await readOrderWithTickets(table, orgId, orderId);
    const ref = orderId === undefined ? undefined : await readOrderRef(table, orgId, orderId);
    const ticketId = found?.tickets.find(isSold)?.ticketId;
    if (ref === undefined || ticketId === undefined) return;
    await moveTicketSeat(table, orgId, { ref, ticketId, map, seat: seat(), atUnix: deps.nowUnix });
  };
  const { hold, pay, buy, giveUp, refund } = buyers;
  await readWhile(deps, eventId, [hold, pay, buy, giveUp, refund, block, unblock, move]);
});
