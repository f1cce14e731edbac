import { beforeAll, describe, expect, it } from 'vitest';
import { readBook } from '../../../shared/data/receipts/book.ts';
import { maxDocuments } from '../../../shared/data/receipts/issue.ts';
import { receiptBookKey, receiptBooksPartition, receiptKey } from '../../../shared/data/table/receipt-keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { issueAllReceipts } from '../../../shared/sales/receipts/issue-all-receipts.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { findingsOf, remove, set } from '../../support/audit.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  noonUnix,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { measuredTable } from '../../support/faults/faulty-table.ts';
import { eventsOf, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import {
  brokenSeries,
  documentsOf,
  enterSales,
  grantedDeps,
  issueLater,
  numbersOf,
  sell,
  switchOnReceipts,
} from '../../support/issued-receipts.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenShop(timezone = 'Australia/Melbourne') {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId, { timezone });
  const { price, event } = await givenOnSale(table, deps.orgId, { capacity: 500 });
  return { deps, price, event };
}

describe('receipts and credit notes', () => {
  it('follow the journal: a receipt for each sale, a credit note for each refund, each numbered in its series', async () => {
    const { deps, price, event } = await givenShop();
    await switchOnReceipts(deps);
    const first = await sell(deps, price, 2);
    const second = await sell(deps, price);
    deps.nowUnix += 60;
    await refundOrder(deps, { orderId: first, tickets: 'all' });
    expect(await issueLater(deps)).toBe('done');
    const documents = await documentsOf(deps);
    expect(documents.map(({ kind, number, orderId, issuedUnix }) => [kind, number, orderId, issuedUnix])).toEqual([
      ['receipt', 'R-2026-000001', first, noonUnix],
      ['receipt', 'R-2026-000002', second, noonUnix],
      ['credit_note', 'C-2026-000001', first, noonUnix + 60],
    ]);
    expect(documents[2]?.refersTo).toEqual({ number: 'R-2026-000001', issuedUnix: noonUnix });
    expect(documents[0]?.lines[0]).toMatchObject({ quantity: 2, event: { title: event.title } });
  });

  it('take no number for abandoned baskets, declined payments and orders that are free', async () => {
    const { deps, price } = await givenShop();
    const free = await givenOnSale(table, deps.orgId, {
      capacity: 5,
      priceMinor: 0,
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
    });
    await switchOnReceipts(deps);
    await givenBasket(deps, price);
    const { basketId } = await givenBasket(deps, price);
    await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_declined' });
    await sell(deps, free.price);
    await sell(deps, price);
    await issueLater(deps);
    expect(numbersOf(await documentsOf(deps))).toEqual(['R-2026-000001']);
  });

  it('are announced once each, with what retrieve-document shows', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await sell(deps, price);
    await issueLater(deps);
    await issueLater(deps);
    const issued = (await eventsOf(deps)).filter(({ type }) => type === 'document.issued');
    expect(issued).toMatchObject([{ data: { document: { number: 'R-2026-000001', total: expect.any(Number) } } }]);
  });

  it('have the year of the sale in the time zone of the organisation', async () => {
    const { deps, price } = await givenShop('Pacific/Auckland');
    // An hour before and two hours after midnight in Auckland, which is UTC+13 in summer.
    deps.nowUnix = Date.UTC(2026, 11, 31, 10) / 1000;
    await switchOnReceipts(deps);
    await sell(deps, price);
    deps.nowUnix += 3 * 3_600;
    await sell(deps, price);
    await sell(deps, price);
    await issueLater(deps);
    expect(numbersOf(await documentsOf(deps))).toEqual(['R-2026-000001', 'R-2027-000001', 'R-2027-000002']);
  });

  it('begin where they are switched on: a sale before has none, and its refund no credit note', async () => {
    const { deps, price } = await givenShop();
    const before = await sell(deps, price);
    deps.nowUnix += 60;
    await switchOnReceipts(deps);
    await sell(deps, price);
    await refundOrder(deps, { orderId: before, tickets: 'all' });
    await issueLater(deps);
    expect(numbersOf(await documentsOf(deps))).toEqual(['R-2026-000001']);
  });

  it('leave out sales of the last seconds, before which an entry may still appear', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await sell(deps, price);
    deps.nowUnix -= 115;
    expect(await issueLater(deps)).toBe('done');
    expect(await documentsOf(deps)).toEqual([]);
    await issueLater(deps);
    expect(await documentsOf(deps)).toHaveLength(1);
  });

  it('have the seller of the time of their sale', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await sell(deps, price);
    deps.nowUnix += 60;
    await switchOnReceipts(deps, { seller: { name: 'New Owner Ltd', address: 'Elsewhere', taxId: null } });
    await sell(deps, price);
    await issueLater(deps);
    expect((await documentsOf(deps)).map(({ seller, number }) => [seller.name, number])).toEqual([
      ['Harbour City FC Ltd', 'R-2026-000001'],
      ['New Owner Ltd', 'R-2026-000002'],
    ]);
  });

  it('never have a number again after a restore, if the operator begins a new series', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await sell(deps, price);
    await issueLater(deps);
    const restored = await readBook(table, deps.orgId);
    await sell(deps, price);
    await issueLater(deps);
    const [, lost] = await documentsOf(deps);
    expect(lost?.number).toBe('R-2026-000002');
    // The point in time is before the second sale: book, document and entry of it are gone.
    await remove(table, receiptKey(deps.orgId, lost?.orderId ?? 0, lost?.documentId ?? ''));
    await remove(table, await keyOfEntry(deps, lost?.entryId ?? ''));
    await putItems(table, [
      { ...receiptBookKey(deps.orgId), by1pk: receiptBooksPartition(), by1sk: deps.orgId, ...restored },
    ]);
    await switchOnReceipts(deps, { prefix: 'R2-', creditPrefix: 'C2-' });
    await sell(deps, price);
    await issueLater(deps);
    expect(numbersOf(await documentsOf(deps))).toEqual(['R-2026-000001', 'R2-2026-000001']);
    expect((await findingsOf(table, deps.orgId)).filter(({ check }) => check === 'receipts')).toEqual([]);
  });

  it('are issued in several transactions if they are many', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await enterSales(deps, await sell(deps, price), maxDocuments + 1);
    await issueLater(deps);
    const documents = await documentsOf(deps);
    expect(documents).toHaveLength(maxDocuments + 2);
    expect(brokenSeries(documents)).toEqual([]);
  });

  it('follow a backlog of 50,000 entries in less than ten minutes', async () => {
    const depthOf = async (transactions: number) => {
      const { deps, price } = await givenShop();
      await switchOnReceipts(deps);
      await enterSales(deps, await sell(deps, price), transactions * maxDocuments - 1);
      const measured = measuredTable(deps.table);
      await issueLater(deps, measured.table);
      return measured.depth();
    };
    // What each further transaction adds, one call after the other. A call of DynamoDB takes some milliseconds, a large transaction some tens.
    const callsInTurn = (await depthOf(2)) - (await depthOf(1));
    const callSeconds = 0.03;
    // The worker works 45 s of each minute.
    const seconds = (50_000 / maxDocuments) * callsInTurn * callSeconds * (60 / 45);
    expect(seconds).toBeLessThan(600);
  });
});

describe('a process that issues receipts and dies at any call', () => {
  it.each(crashMoments)('leaves no gap and no double: killed %s the call', async (when) => {
    for (const at of crashPoints()) {
      const { deps, price } = await givenShop();
      await switchOnReceipts(deps);
      const orderId = await sell(deps, price, 2);
      await sell(deps, price);
      deps.nowUnix += 60;
      await refundOrder(deps, { orderId, tickets: 'all' });
      const crashPoint = new CrashPoint(at, when);
      await crashPoint.resultOf(issueLater(deps, crashingTable(table, crashPoint)));
      await expectWhole(deps);
      if (crashPoint.calls < at) break;
    }
  });

  it('does not write after another process has taken the book', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps);
    await sell(deps, price);
    await Promise.all([issueLater(deps), issueLater(deps), issueLater(deps)]);
    await issueLater(deps);
    const documents = await documentsOf(deps);
    expect(numbersOf(documents)).toEqual(['R-2026-000001']);
  });
});

async function keyOfEntry({ orgId }: TestCheckoutDeps, entryId: string) {
  const found = (await itemsLike(table, `JRN#${orgId}#`)).find(({ sk }) => sk === entryId);
  return { pk: String(found?.pk), sk: entryId };
}

async function expectWhole(deps: TestCheckoutDeps) {
  await issueLater(deps);
  const documents = await documentsOf(deps);
  expect(numbersOf(documents)).toEqual(['R-2026-000001', 'R-2026-000002', 'C-2026-000001']);
  expect((await readBook(deps.table, deps.orgId))?.counts).toEqual({ 'R-2026-': 2, 'C-2026-': 1 });
  const issued = (await eventsOf(deps)).filter(({ type }) => type === 'document.issued');
  expect(issued).toHaveLength(3);
}

describe('the buyer of a document', () => {
  it('is removed after the years for which the organisation keeps documents, and not before', async () => {
    const { deps, price } = await givenShop();
    await switchOnReceipts(deps, { keepYears: 2 });
    const orderId = await sell(deps, price);
    await issueLater(deps);
    const [document] = await documentsOf(deps);
    const Key = receiptKey(deps.orgId, orderId, document?.documentId ?? '');
    await set(table, Key, 'buyer', { name: 'Ada Lovelace', city: 'Melbourne' });
    const later = (year: number) => {
      deps.nowUnix = Date.UTC(year, 0, 2) / 1000;
      return issueAllReceipts(grantedDeps(deps), 0);
    };
    await later(2028);
    expect((await documentsOf(deps))[0]?.buyer).toMatchObject({ name: 'Ada Lovelace', city: 'Melbourne' });
    await later(2029);
    expect(await documentsOf(deps)).toEqual([document]);
    expect((await readBook(table, deps.orgId))?.forgotten).toBe(document?.documentId);
  });
});
