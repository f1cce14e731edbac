import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orders } from '../../../admin/transfer/datasets/orders.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { addItem, checkOutWith, givenOnSale, newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { collect } from '../../support/collect.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { buyMembership, givenMembershipBasket, givenType } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

const month = 31 * 86_400;

let table: Table;
const files = new Files();
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => files.remove());

describe('export orders', () => {
  it('contains memberships beside tickets and orders of memberships only, and an import of orders rejects both', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    await givenOrganisation(table, orgId);
    const type = await givenType(table, orgId, { taxRate: 20 });
    const { price } = await givenOnSale(table, orgId);
    const both = await givenMembershipBasket(deps, type);
    await addItem(deps, both, price, 2);
    expect(await checkOutWith(deps, both)).toMatchObject({ outcome: 'confirmed' });
    const { order, memberships } = await buyMembership(deps, type);
    const rows = await collect(orders.rows({ table, orgId, clock: { nowMs: () => noonUnix * 1000 } }));
    const membership = { membership_type_code: 'full', first_name: 'Ada', price: 240.5, tax: 40.08, currency: 'AUD' };
    expect(rows).toMatchObject([
      { event_code: expect.any(String), tickets: [{}, {}], memberships: [membership] },
      {
        order_ref: order.orderUuid,
        event_code: null,
        tickets: [],
        memberships: [
          { ...membership, member_number: memberships[0]?.memberNumber, membership_status_id: 1, fees: 0, discount: 0 },
        ],
      },
    ]);
    const file = files.write('orders.ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await importInto(table, { orgId, dataset: 'orders', file })).toMatchObject({ unchanged: 0, rejected: 2 });
    const rejected = files.read('orders.ndjson.rejected.ndjson');
    expect(rejected).toContain('memberships are not imported with an order');
    expect(rejected).toContain('An order of memberships only is not imported');
  });

  it('contains how an order was paid at the counter, which an import leaves out', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    await givenOrganisation(table, orgId);
    const { price } = await givenOnSale(table, orgId);
    const dueUnix = deps.nowUnix + 86_400;
    await givenCounterSale(deps, price, { tender: { ...cash, kind: 'invoice', dueUnix } });
    await givenCounterSale(deps, price, { tender: { ...cash, kind: 'complimentary', reason: 'Press' } });
    const rows = await collect(orders.rows({ table, orgId, clock: { nowMs: () => noonUnix * 1000 } }));
    const taken = { tender_reference: 'R-1', tender_station: 'till 1', tender_operator: '7' };
    const sorted = rows.toSorted((one, other) => Number(other.invoice_outstanding) - Number(one.invoice_outstanding));
    expect(sorted).toMatchObject([
      { payment_method: 'invoice', ...taken, tender_reason: null, invoice_due: dueUnix, invoice_outstanding: 32.15 },
      { payment_method: 'complimentary', ...taken, tender_reason: 'Press', invoice_due: null, invoice_outstanding: 0 },
    ]);
    const text = rows.map((row) => `${JSON.stringify({ ...row, order_ref: `${row.order_ref}-again` })}\n`).join('');
    const file = files.write('counter.ndjson', text.replaceAll(/"barcode":"/g, '"barcode":"N'));
    expect(await importInto(table, { orgId, dataset: 'orders', file })).toMatchObject({ created: 2, rejected: 0 });
  });

  it('contains the discount of a membership once, and not with the tickets beside it', async () => {
    const deps = newCheckoutDeps(table);
    const half = { termMonths: null, proRata: 'month', expiresUnix: noonUnix + 6 * month } as const;
    const both = await givenMembershipBasket(deps, await givenType(table, deps.orgId, half));
    await addItem(deps, both, (await givenOnSale(table, deps.orgId)).price, 2);
    await checkOutWith(deps, both);
    const [row] = await collect(orders.rows({ table, orgId: deps.orgId, clock: { nowMs: () => noonUnix * 1000 } }));
    expect(row?.discount_amount).toBeGreaterThan(0);
    expect(row).toMatchObject({
      tickets: [{ discount: 0 }, { discount: 0 }],
      memberships: [{ discount: row?.discount_amount }],
    });
  });
});
