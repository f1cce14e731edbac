import { beforeAll, describe, expect, it } from 'vitest';
import { journalExport } from '../../../admin/transfer/journal-export.ts';
import { journalItems } from '../../../shared/data/journal/journal-items.ts';
import { readJournal } from '../../../shared/data/journal/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { type NewOrder, orderRecords } from '../../../shared/domain/orders/order.ts';
import { journalEntryResource } from '../../../shared/mappers/journal-entry.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { collect } from '../../support/collect.ts';
import { meteredTable } from '../../support/cost/write-units.ts';
import { givenPaidOrder, refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const aMinuteMs = 60_000;

interface Filters {
  readonly eventId?: number;
  readonly orderId?: number;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly limit?: number;
  readonly after?: string;
}

async function list(orgId: string, filters: Filters, nowMs: number) {
  const all = {
    eventId: undefined,
    orderId: undefined,
    after: undefined,
    sinceMs: 0,
    untilMs: Number.MAX_SAFE_INTEGER,
  };
  const { rows, next } = await readJournal(table, orgId, { ...all, limit: 100, ...filters, nowMs });
  return { data: rows.map(journalEntryResource), next };
}

/** Every entry, read page by page. */
async function listAll(orgId: string, filters: Filters, nowMs: number): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await list(orgId, { ...filters, ...(after !== undefined && { after }) }, nowMs);
    expect(page.data.length).toBeLessThanOrEqual(filters.limit ?? 100);
    found.push(...page.data.map(({ entry_id }) => entry_id));
    after = page.next;
  } while (after !== undefined);
  return found;
}

describe('list-journal-entries', () => {
  it('list-journal-entries shows a sale and its refund by price, with what was received; each adds up to 0', async () => {
    const orgId = 'org_sale';
    const { deps, orderId, ticketIds, price } = await givenPaidOrder(table, orgId);
    deps.nowUnix += 3_600;
    const [first] = ticketIds;
    await refundOrder(deps, { orderId, tickets: [first ?? 0] });
    const nowMs = deps.nowUnix * 1000 + aMinuteMs;
    const { data } = await list(orgId, {}, nowMs);
    const line = (account: string, quantity: number | null, amount: number) => ({
      account,
      price_id: quantity === null ? null : price.priceId,
      membership_type_id: null,
      quantity,
      amount,
      tax: 0,
    });
    const common = { tender: null, order_id: orderId, event_id: String(price.eventId), currency: 'AUD' };
    expect(data).toEqual([
      {
        ...common,
        entry_id: expect.stringMatching(/^jrn_\w{26}$/),
        at: deps.nowUnix - 3_600,
        kind: 'sale',
        lines: [
          line('tickets', 3, -90),
          line('service_fees', 3, -5.85),
          line('service_tax', 3, -0.6),
          line('card', null, 96.45),
        ],
      },
      {
        ...common,
        entry_id: expect.any(String),
        at: deps.nowUnix,
        kind: 'refund',
        lines: [
          line('tickets', -1, 30),
          line('service_fees', -1, 1.95),
          line('service_tax', -1, 0.2),
          line('card', null, -32.15),
        ],
      },
    ]);
    const kinds = async (filters: Filters, at = nowMs) => (await list(orgId, filters, at)).data.map(({ kind }) => kind);
    expect(await kinds({ eventId: price.eventId })).toEqual(['sale', 'refund']);
    expect(await kinds({ eventId: 0 })).toEqual([]);
    expect(await kinds({ sinceMs: deps.nowUnix * 1000 })).toEqual(['refund']);
    expect(await kinds({ untilMs: deps.nowUnix * 1000 })).toEqual(['sale']);
    // The entries of an order are complete at once, those of a list six seconds later.
    expect(await kinds({ orderId }, deps.nowUnix * 1000)).toEqual(['sale', 'refund']);
    expect(await kinds({}, deps.nowUnix * 1000)).toEqual(['sale']);
    expect(await kinds({ orderId, eventId: 512 })).toEqual([]);
    expect(await listAll(orgId, { orderId, limit: 1 }, nowMs)).toEqual(data.map(({ entry_id }) => entry_id));
  });

  it('list-journal-entries has nothing of a cancellation, and nothing of an order that is free', async () => {
    const orgId = 'org_free';
    const { deps, orderId } = await givenPaidOrder(table, orgId);
    await cancelOrRefundTickets(deps, orderId, { tickets: 'all', to: 'cancelled' });
    const { price } = await givenOnSale(table, orgId, {
      priceMinor: 0,
      rebateMinor: 0,
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
    });
    const { basketId } = await givenBasket(deps, price, 1);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    const { data } = await list(orgId, {}, deps.nowUnix * 1000 + aMinuteMs);
    expect(data.map(({ kind, order_id }) => [kind, order_id])).toEqual([['sale', orderId]]);
  });

  it('list-journal-entries returns every entry once, oldest first, on pages of any size', async () => {
    const orgId = 'org_pages';
    const { nowUnix } = checkoutDepsOf(table, orgId);
    for (let nth = 0; nth < 50; nth += 1)
      await write(orgId, nowUnix * 1000 + nth * 7, { eventId: 512 * (1 + (nth % 2)) });
    const all = await listAll(orgId, { limit: 500 }, nowUnix * 1000 + aMinuteMs);
    expect(all).toHaveLength(50);
    expect(all).toEqual([...all].sort());
    for (const limit of [1, 3, 8]) expect(await listAll(orgId, { limit }, nowUnix * 1000 + aMinuteMs)).toEqual(all);
    const ofEvents = await Promise.all(
      [512, 1_024].map((event) => listAll(orgId, { eventId: event, limit: 4 }, nowUnix * 1000 + aMinuteMs)),
    );
    expect(ofEvents.map(({ length }) => length)).toEqual([25, 25]);
    expect(ofEvents.flat().sort()).toEqual(all);
  });

  it('list-journal-entries never passes an entry that is written late with an earlier id', async () => {
    const orgId = 'org_late';
    const startMs = 1_800_000_000_000;
    await write(orgId, startMs + 1_000);
    // Another process has made its id before, and its transaction takes four seconds.
    const seen = await listAll(orgId, {}, startMs + 4_000);
    await write(orgId, startMs);
    expect(seen).toEqual([]);
    expect(await listAll(orgId, {}, startMs + 8_000)).toHaveLength(2);
  });

  it('export journal writes a row for each line, and the amounts add up to 0', async () => {
    const orgId = 'org_export';
    const { deps, orderId } = await givenPaidOrder(table, orgId);
    await refundOrder(deps, { orderId, tickets: [orderId + 1] });
    const rows = await collect(
      journalExport.rows({ table, orgId, clock: { nowMs: () => (deps.nowUnix + 60) * 1000 } }),
    );
    expect(rows.map(({ kind, account, amount }) => [kind, account, amount])).toEqual([
      ['sale', 'tickets', -90],
      ['sale', 'service_fees', -5.85],
      ['sale', 'service_tax', -0.6],
      ['sale', 'card', 96.45],
      ['refund', 'tickets', 30],
      ['refund', 'service_fees', 1.95],
      ['refund', 'service_tax', 0.2],
      ['refund', 'card', -32.15],
    ]);
    for (const row of rows) expect(Object.keys(row)).toEqual(journalExport.columns);
  });

  it('an entry costs four write units, also that of the largest order', async () => {
    const tickets = Array.from({ length: 40 }, (_, index) =>
      aTicket({
        priceId: 512 + 488 + Math.max(0, index - 16),
        faceMinor: 199_900,
        rebateMinor: 0,
        taxMinor: 31_917,
        serviceFeeMinor: 1_295,
        serviceTaxMinor: 195,
      }),
    );
    const metered = meteredTable(table);
    await write('org_large', 1_800_000_000_000, { tickets, transactionFeeMinor: 150 }, metered.table);
    expect(await metered.lastUnits()).toBe(4);
  });
});

async function write(orgId: string, nowMs: number, changes: Partial<NewOrder> = {}, to = table): Promise<void> {
  const order = anOrder({ eventId: 512, isBooked: true, tickets: [], transactionFeeMinor: 100, ...changes });
  await transact(to, journalItems(to, orgId, { moved: 'sale', ...orderRecords(order), receivableMinor: 0 }, nowMs));
}

it('an entry of the journal that does not add up to 0 is not written', () => {
  const placed = orderRecords(anOrder({ isBooked: true }));
  // Something is kept of memberships only, and it has none.
  const refund = { amountMinor: 1, keptMinor: 1 };
  const { orderId } = placed.order;
  expect(() => journalItems(table, 'org_rest', { moved: 'refund', ...placed, refund }, 0)).toThrow(
    `The refund of order ${orderId} does not add up to 0.`,
  );
});
