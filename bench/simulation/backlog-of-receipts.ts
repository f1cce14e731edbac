import { changeBasket, openBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { basketItem } from '../../shared/data/baskets/row.ts';
import { entryIds } from '../../shared/data/journal/entry-ids.ts';
import { journalItem } from '../../shared/data/journal/journal-items.ts';
import { entryItem, parseEntry } from '../../shared/data/journal/row.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { orderRow } from '../../shared/data/orders/row.ts';
import { readOffer } from '../../shared/data/prices/offer.ts';
import { saveReceiptSettings } from '../../shared/data/receipts/book.ts';
import { personHash } from '../../shared/data/table/hash-key.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { addToBasket } from '../../shared/domain/baskets/changes.ts';
import { idOf, idsPerSecond } from '../../shared/domain/ids.ts';
import type { JournalEntry, SoldMoney } from '../../shared/domain/journal/entry.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { checkOut } from '../../shared/sales/checkout/check-out.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import type { OnSale } from './on-sale-event.ts';

/** Baskets have the first of 64 numbers (ADR 21). */
const idsPerBasket = 64;
/** One order in five is refunded. */
const refundedOneIn = 5;
const rowsAtOnce = 2_000;
/** Ids of orders begin with a second, which need not be that of the entry. */
const ordersSinceUnix = Date.UTC(2026, 9, 1) / 1000;

interface Backlog {
  /** How many entries the journal has. */
  readonly entries: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A journal of an hour in which no document was issued: the orders of a sale, each like the first one, and some refunds. */
export async function givenBacklog(table: Table, sale: OnSale, { entries, fromMs, untilMs }: Backlog): Promise<void> {
  const { orgId } = sale;
  await saveReceiptSettings(table, orgId, undefined, {
    sinceUnix: Math.floor(fromMs / 1000),
    seller: { name: 'Harbour City FC Ltd', address: '1 Quay Street\nMelbourne VIC 3000', taxId: null },
    prefix: 'R-',
    creditPrefix: 'C-',
    yearly: true,
    keepYears: 10,
  });
  const sold = await firstSale(table, sale);
  const stepMs = (untilMs - fromMs) / entries;
  const rows: Readonly<Record<string, unknown>>[] = [];
  let written = 0;
  for (let index = 0; written < entries; index += 1) {
    const copy = copyOf(orgId, sold, { index, atMs: Math.floor(fromMs + written * stepMs), stepMs });
    const isRefunded = index % refundedOneIn === 0 && written + 2 <= entries;
    rows.push(...copy.rows, copy.sale, ...(isRefunded ? [copy.refund] : []));
    written += isRefunded ? 2 : 1;
    if (rows.length > rowsAtOnce) await putItems(table, rows.splice(0));
  }
  await putItems(table, rows);
}

type Sold = Awaited<ReturnType<typeof firstSale>>;

async function firstSale(table: Table, { orgId, prices: [price] }: OnSale) {
  const nowUnix = Math.floor(Date.now() / 1000);
  const { basketId } = await openBasket(table, { orgId, nowUnix, openedFrom: null });
  await changeBasket(table, {
    orgId,
    basketId,
    decide: async (basket) => {
      const offer = await readOffer(table, orgId, price?.priceId ?? 0);
      if (offer === undefined) throw new Error('There is no such price.');
      return addToBasket(basket, offer, { quantity: 2 }, nowUnix);
    },
  });
  const buyer = { emailAddress: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const deps = {
    table,
    orgId,
    clock: { nowMs: () => Date.now() },
    requestId: undefined,
    payments: livePayments(table),
  };
  const bought = await checkOut(deps, { basketId, buyer, paymentMethod: 'pm_card_visa' }, () => []);
  if (bought.outcome !== 'confirmed') throw new Error(bought.outcome);
  const [basket, placed] = [
    await readBasket(table, orgId, basketId),
    await readOrderWithTickets(table, orgId, basketId),
  ];
  if (basket === undefined || placed === undefined) throw new Error('The first order is missing.');
  return { basket, placed, hash: await personHash(table) };
}

/** The rows of another order, and the entries of its sale and of its refund. */
function copyOf(
  orgId: string,
  { basket, placed, hash }: Sold,
  { index, atMs, stepMs }: { readonly index: number; readonly atMs: number; readonly stepMs: number },
) {
  const number = index * idsPerBasket;
  const orderId = idOf(ordersSinceUnix + Math.floor(number / idsPerSecond), number % idsPerSecond);
  const order = { ...placed.order, orderId };
  const item = journalItem(
    orgId,
    { moved: 'sale', order, tickets: placed.tickets, memberships: [], receivableMinor: 0 },
    atMs,
  );
  if (item === undefined) throw new Error('The sale moved no money.');
  return {
    rows: [basketItem(orgId, { ...basket, basketId: orderId }), orderRow(orgId, { ...placed, order }, hash)],
    sale: item,
    refund: entryItem(orgId, refundOf(parseEntry(item), Math.floor(atMs + stepMs))),
  };
}

function refundOf(sale: JournalEntry, atMs: number): JournalEntry {
  const { prices, money, transactionFeeMinor } = sale;
  const less = <Money extends SoldMoney>(sold: Money): Money => ({
    ...sold,
    quantity: -sold.quantity,
    netMinor: -sold.netMinor,
    taxMinor: -sold.taxMinor,
    serviceFeeMinor: -sold.serviceFeeMinor,
    serviceTaxMinor: -sold.serviceTaxMinor,
  });
  return {
    ...sale,
    kind: 'refund',
    entryId: entryIds.create(atMs),
    atUnix: Math.floor(atMs / 1000),
    prices: prices.map(less),
    transactionFeeMinor: 0 - transactionFeeMinor,
    money: Object.fromEntries(Object.entries(money).map(([account, amount]) => [account, 0 - amount])),
  };
}
