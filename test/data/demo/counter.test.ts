import { beforeAll, describe, expect, it } from 'vitest';
import { handle as takings } from '../../../functions/api/journal/retrieve-takings.ts';
import { handle as overdue } from '../../../functions/api/orders/list-overdue-orders.ts';
import { counterSales } from '../../../local/demo/counter.ts';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { retrieveTakings } from '../../../shared/operations/journal/retrieve-takings.ts';
import { listOverdueOrders } from '../../../shared/operations/orders/list-overdue-orders.ts';
import { anOrder, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_demo';
const day = 86_400;
const todayUnix = someSpan + 40 * day;
const sales = counterSales(
  [null, null, null, 7].map((userId) => anOrder({ userId, placedUnix: someSpan + 1_000 })),
  todayUnix,
);

await givenStackSecret();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
  const ledger = new OrderLedger(orgId);
  for (const { order, payment } of sales) {
    ledger.place(order);
    if (payment !== undefined) ledger.pay(order.orderId, payment);
  }
  await putItems(table, [...ledger.items()]);
});
const at = () => ({ table, orgId, nowMs: (todayUnix + 60) * 1000 });

describe('the counter of the demo', () => {
  it('has takings in cash, with the terminal and by bank transfer, equal to the journal', async () => {
    const query = { unix_start: todayUnix - day, unix_end: todayUnix };
    const { data } = await callHandler(retrieveTakings, takings, { query }, at());
    const till = { station: 'Main entrance', operator: '7', refunds: 0, orders: 1 };
    expect(data).toMatchObject([
      { ...till, kind: 'bank_transfer', net: 11.38 },
      { ...till, kind: 'cash', net: 22.75 },
      { ...till, kind: 'terminal', net: 22.75 },
    ]);
  });

  it('has an invoice that is overdue and paid in part', async () => {
    const { data } = await callHandler(listOverdueOrders, overdue, { query: {} }, at());
    expect(data).toMatchObject([{ outstanding: 11.37, due_unix: todayUnix - 6 * day, payments: [{ amount: 11.38 }] }]);
  });

  it('gives tickets away, and enters every sale once', async () => {
    const kinds = await Promise.all(
      sales.map(async ({ order: { orderId } }) => {
        const placed = await readOrderWithTickets(table, orgId, orderId);
        const entries = await entriesOfOrder(table, orgId, orderId);
        return [placed?.order.paymentMethod, placed?.order.totalMinor, entries.map(({ kind }) => kind).sort()];
      }),
    );
    expect(kinds).toEqual([
      ['cash', 2_275, ['sale']],
      ['terminal', 2_275, ['sale']],
      ['complimentary', 0, ['sale']],
      ['invoice', 2_275, ['payment', 'sale']],
    ]);
  });
});
