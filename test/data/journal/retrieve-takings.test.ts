import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/journal/retrieve-takings.ts';
import { entryIds } from '../../../shared/data/journal/entry-ids.ts';
import { readJournal } from '../../../shared/data/journal/read.ts';
import { entryItem } from '../../../shared/data/journal/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { tenderAccounts } from '../../../shared/domain/journal/entries/parts.ts';
import type { JournalEntry } from '../../../shared/domain/journal/entry.ts';
import type { OrderRecord } from '../../../shared/domain/orders/order.ts';
import { isReceivedKind, tenderKinds } from '../../../shared/domain/orders/tender.ts';
import { retrieveTakings } from '../../../shared/operations/journal/retrieve-takings.ts';
import { Takings } from '../../../shared/operations/schemas/takings.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { seededInts } from '../../support/faults/seeded-ints.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const laterMs = (noonUnix + 3_600) * 1000;

async function takings(orgId: string, query: object = {}, nowMs = laterMs) {
  const input = { query: { unix_start: noonUnix - 60, ...query } };
  const { data } = await callHandler(retrieveTakings, handle, input, { table, orgId, nowMs });
  return v.parse(v.array(Takings), data);
}

describe('retrieve-takings', () => {
  it('retrieve-takings adds up what each operator took at each station, and leaves out what the provider charged', async () => {
    const orgId = 'org_takings';
    const { price } = await givenOnSale(table, orgId);
    const other = await givenOnSale(table, orgId, { capacity: 5 });
    const deps = checkoutDepsOf(table, orgId);
    await givenCounterSale(deps, price, { quantity: 2 });
    await givenCounterSale(deps, other.price);
    await givenCounterSale(deps, price, { tender: { ...cash, kind: 'terminal' } });
    await givenCounterSale(deps, price, { tender: { ...cash, station: null, operator: null } });
    await checkOutWith(deps, (await givenBasket(deps, price)).basketId);
    const till = { currency: 'AUD', station: 'till 1', operator: '7', refunds: 0 };
    expect(await takings(orgId)).toEqual([
      { ...till, kind: 'cash', sales: 96.45, net: 96.45, orders: 2 },
      { ...till, kind: 'terminal', sales: 32.15, net: 32.15, orders: 1 },
      { ...till, kind: 'cash', station: null, operator: null, sales: 32.15, net: 32.15, orders: 1 },
    ]);
    expect(await takings(orgId, { station: 'till 1', operator: '7', event_id: String(other.event.eventId) })).toEqual([
      { ...till, kind: 'cash', sales: 32.15, net: 32.15, orders: 1 },
    ]);
    for (const none of [{ station: 'till 2' }, { operator: '8' }, { event_id: 'x' }, { unix_start: noonUnix }]) {
      expect(await takings(orgId, none)).toEqual([]);
    }
    expect(await takings('org_other')).toEqual([]);
  });

  it('retrieve-takings has what staff returned where and by whom they returned it, at once and later', async () => {
    const orgId = 'org_returned';
    const { price } = await givenOnSale(table, orgId);
    const deps = checkoutDepsOf(table, orgId);
    const sold: OrderRecord[] = [];
    for (let sale = 0; sale < 3; sale += 1)
      sold.push((await givenCounterSale(deps, price, { quantity: 2 })).placed.order);
    const [first, second, third] = sold.map(({ orderId }) =>
      orderCalls(table, orgId, orderId, ['orders:write', 'counter']),
    );
    const handed = { returned_by: 'terminal', station: 'till 2', operator: '9' };
    await first?.refund({ ...handed, keep: 2 });
    const later = { orderId: sold[1]?.orderId ?? 0, tickets: 'all', reason: null, returnedBy: 'later' } as const;
    await requestRefund(deps, later, () => []);
    const till = { currency: 'AUD', kind: 'cash', station: 'till 1', operator: '7' };
    const taken = { ...till, sales: 192.9, orders: 3 };
    const other = { currency: 'AUD', kind: 'terminal', station: 'till 2', operator: '9', sales: 0 };
    // What awaits its return is still in the till.
    expect(await takings(orgId)).toEqual([
      { ...taken, refunds: 0, net: 192.9 },
      { ...other, refunds: 60.3, net: -60.3, orders: 1 },
    ]);
    await second?.returned(1, { returned_by: 'cash', station: 'till 1', operator: '7' });
    await third?.refund(handed);
    expect(await takings(orgId)).toEqual([
      { ...taken, refunds: 64.3, net: 128.6 },
      { ...other, refunds: 124.6, net: -124.6, orders: 2 },
    ]);
  });

  it('retrieve-takings is of at most 48 hours, until 10 seconds ago', async () => {
    const nowMs = (noonUnix + 10) * 1000;
    const refused = (param: string) => ({ code: 'parameter_invalid', details: [{ param }] });
    await expect(takings('org_takings', { unix_end: noonUnix + 1 }, nowMs)).rejects.toMatchObject(refused('unix_end'));
    const days = { unix_start: noonUnix - 2 * 86_400 - 1, unix_end: noonUnix };
    await expect(takings('org_takings', days, nowMs)).rejects.toMatchObject(refused('unix_start'));
    expect(await takings('org_takings', { ...days, unix_start: noonUnix - 2 * 86_400 }, nowMs)).toEqual([]);
    expect(await takings('org_takings', { unix_start: noonUnix - 1 }, nowMs)).toEqual([]);
    expect(await takings('org_takings', { unix_start: noonUnix - 1 }, nowMs + 1_000)).not.toEqual([]);
  });

  it('takings of any journal equal its entries to the cent', async () => {
    const below = seededInts();
    for (let run = 0; run < amount(5, 200); run += 1) {
      const orgId = `org_journal${run}`;
      const entries = Array.from({ length: below(80) }, (): JournalEntry => {
        const kind = tenderKinds[below(tenderKinds.length)] ?? 'cash';
        const station = [null, 'till 1', 'till 2'][below(3)] ?? null;
        const operator = [null, '7'][below(2)] ?? null;
        const atUnix = noonUnix + below(7_200);
        return {
          entryId: entryIds.create(atUnix * 1000 + below(1_000)),
          atUnix,
          kind: 'sale',
          orderId: 16 * (1 + below(30)),
          eventId: below(2) === 0 ? null : 512,
          currency: below(2) === 0 ? 'AUD' : 'JPY',
          prices: [],
          types: [],
          transactionFeeMinor: 0,
          money: { [tenderAccounts[kind]]: below(2_000) - 700, card: below(100) },
          ...(below(5) > 0 && { tender: { kind, station, operator, reference: null } }),
        };
      });
      await putItems(
        table,
        entries.map((entry) => entryItem(orgId, entry)),
      );
      const window = { sinceMs: (noonUnix + 600) * 1000, untilMs: (noonUnix + 5_000) * 1000 };
      const all = { eventId: undefined, orderId: undefined, after: undefined, limit: 500, nowMs: 2 * laterMs };
      const { rows } = await readJournal(table, orgId, { ...window, ...all });
      const found = await takings(orgId, { unix_start: noonUnix + 599, unix_end: noonUnix + 5_000 }, 2 * laterMs);
      for (const currency of ['AUD', 'JPY']) {
        const ofEntries = rows
          .filter((entry) => entry.currency === currency && entry.tender && isReceivedKind(entry.tender.kind))
          .reduce((sum, { tender, money }) => sum + (tender ? (money[tenderAccounts[tender.kind]] ?? 0) : 0), 0);
        const own = found.filter((row) => row.currency === currency);
        const minor = currency === 'JPY' ? 1 : 100;
        expect(Math.round(own.reduce((sum, { net }) => sum + net * minor, 0))).toBe(ofEntries);
        for (const { sales, refunds, net } of own) expect(sales - refunds).toBeCloseTo(net, 9);
      }
    }
  });
});
