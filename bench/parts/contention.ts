import { auditStock } from '../../shared/data/audit/stock.ts';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import { readStock, takeStock } from '../../shared/data/prices/stock.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Basket } from '../../shared/domain/baskets/basket.ts';
import { addToBasket } from '../../shared/domain/baskets/changes.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { anOrder, aScan, aTicket } from '../../tools/fixtures/orders.ts';
import { startBenchTable } from '../harness/bench-table.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atLeast, atMost, median } from '../report/figures.ts';

const orgId = 'org_contention';
const atOnce = 16;
const rounds = 4;
const ordersPerRound = 240;
const pricesOfMany = 8;

export const measureContention: MeasurePart = async ({ progress }) => {
  const benchTable = await startBenchTable();
  try {
    const table = benchTable.open();
    await givenOrganisation(table, orgId);
    const event = await eventWith(table, 'orders', { prices: pricesOfMany, capacity: 100_000 });
    const events: number[] = [];
    for (let index = 0; index < pricesOfMany; index += 1)
      events.push(await eventWith(table, `scans-${index}`, { prices: 1, capacity: 10 }));
    const orders: Compared = { one: [], many: [] };
    const scans: Compared = { one: [], many: [] };
    for (let round = 0; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const ordersOne = await rate((_index) => order(table, event, 1));
      const ordersMany = await rate((index) => order(table, event, 1 + (index % pricesOfMany)));
      const scansOne = await rate((index) => scan(table, events[0] ?? 0, index, round));
      const scansMany = await rate((index) => scan(table, events[index % events.length] ?? 0, index, round));
      // The first round warms up.
      if (round === 0) continue;
      orders.one.push(ordersOne);
      orders.many.push(ordersMany);
      scans.one.push(scansOne);
      scans.many.push(scansMany);
    }
    progress('selling out');
    const oversold = (await sellOut(table)) + (await sellOutPool(table));
    return findingsOf(orders, scans, oversold);
  } finally {
    await benchTable.stop();
  }
};

interface Compared {
  readonly one: number[];
  readonly many: number[];
}

async function eventWith(
  table: Table,
  code: string,
  { prices, capacity }: { prices: number; capacity: number },
): Promise<number> {
  const { eventId } = await givenEvent(table, orgId, { code });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  for (let index = 1; index <= prices; index += 1)
    await givenPrice(table, orgId, { eventId, categoryId, code: `p${index}`, capacity });
  return eventId;
}

async function order(table: Table, eventId: number, priceIndex: number): Promise<boolean> {
  const newOrder = anOrder({ eventId, tickets: [aTicket({ priceIndex })] });
  const { outcome } = await writeOrder(table, orgId, newOrder, {
    callerItems: () => [takeStock(table, orgId, { eventId, index: priceIndex }, 1)],
  });
  return outcome === 'recorded';
}

async function scan(table: Table, eventId: number, index: number, round: number): Promise<boolean> {
  const reading = aScan(`UNKNOWN-${round}-${index}`, { eventId, receivedMs: Date.now() });
  const { outcome } = await recordScan(table, { orgId, scan: reading, nonce: null });
  return outcome === 'recorded';
}

async function rate(work: (index: number) => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  const done = await countSuccesses(ordersPerRound, work);
  return done / ((performance.now() - startedMs) / 1000);
}

/** Runs the work `times` times, several at once, and returns how often it succeeded. */
async function countSuccesses(times: number, work: (index: number) => Promise<boolean>): Promise<number> {
  let [next, done] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < times) {
      const index = next;
      next += 1;
      if (await work(index)) done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}

const [seats, buyers] = [100, 160];

/** More buyers than seats, all at once. Returns the tickets that were oversold or lost; 0 is correct. */
async function sellOut(table: Table): Promise<number> {
  const eventId = await eventWith(table, 'sold-out', { prices: 1, capacity: seats });
  const sold = await countSuccesses(buyers, () => order(table, eventId, 1));
  const left = (await readStock(table, orgId, eventId)).get(1)?.avail ?? 0;
  return Math.abs(sold - seats) + Math.abs(left);
}

/** The same buyers in baskets, for two prices of one pool, one of them with a maximum of its own. */
async function sellOutPool(table: Table): Promise<number> {
  const { eventId } = await givenEvent(table, orgId, { code: 'pool', startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const { index: poolIndex } = await givenPool(table, orgId, { eventId, capacity: seats });
  const adult = await givenPrice(table, orgId, { eventId, categoryId, poolIndex, capacity: null });
  const junior = await givenPrice(table, orgId, { eventId, categoryId, poolIndex, capacity: seats / 2 });
  const nowUnix = Math.floor(Date.now() / 1000);
  const hold = async (buyer: number): Promise<boolean> => {
    const offer = await readOffer(table, orgId, buyer % 2 === 0 ? adult.priceId : junior.priceId);
    if (offer === undefined) return false;
    const { basketId } = await openBasket(table, { orgId, nowUnix });
    const decide = (basket: Basket) => addToBasket(basket, offer, { quantity: 1, holders: [] }, nowUnix);
    return (await changeBasket(table, { orgId, basketId, decide })).outcome === 'changed';
  };
  const held = await countSuccesses(2 * buyers, hold);
  const left = (await readStock(table, orgId, eventId)).get(poolIndex)?.avail ?? 0;
  const contradictions = await auditStock(table, { orgId, eventId });
  return Math.abs(held - seats) + Math.abs(left) + (contradictions?.length ?? 1);
}

function findingsOf(orders: Compared, scans: Compared, oversold: number) {
  const row = (what: string, { one, many }: Compared): [string, number, number, number] => [
    what,
    median(one),
    median(many),
    median(one) / median(many),
  ];
  return {
    notes: [
      `${rounds} rounds of ${ordersPerRound} orders and as many scans, ${atOnce} at once, alternating; medians. Many: ${pricesOfMany} prices, ${pricesOfMany} events. ${buyers} concurrent buyers for ${seats} seats, and ${2 * buyers} for ${seats} places of a pool with two prices.`,
      'DynamoDB Local runs transactions one after the other and never reports a conflict, so this shows only that our code does not make one price slower than many. On AWS, concurrent transactions on the stock of one price conflict and are retried; that has to be measured there.',
    ],
    tables: [
      {
        title: 'Contention, per second',
        columns: ['what', 'on one', 'on many', 'ratio'],
        rows: [row('orders', orders), row('scans', scans)],
      },
    ],
    targets: [
      atMost({ name: 'contention: tickets oversold or lost', value: oversold, limit: 0 }),
      atLeast({
        name: 'contention: orders on one price over many',
        value: median(orders.one) / median(orders.many),
        limit: 0.7,
      }),
      atLeast({
        name: 'contention: scans on one event over many',
        value: median(scans.one) / median(scans.many),
        limit: 0.7,
      }),
    ],
  };
}
