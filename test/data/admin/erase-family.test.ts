import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { customersAt } from '../../../tools/fixtures/customers.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import {
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  noonUnix,
  shortTimeout,
  statusOf,
} from '../../support/baskets.ts';
import { Files } from '../../support/import-files.ts';
import { scanAtGate, scansOf } from '../../support/person-with-traces.ts';

const { table, admin } = await givenAdmin(() => noonUnix * 1000);
const files = new Files();
afterAll(() => files.remove());

const emailAddress = 'rays@example.com';
const annika = { emailAddress, firstName: 'Annika', lastName: 'Ray' };
const benno = { emailAddress: 'Rays@Example.com', firstName: 'Benno', lastName: 'Ray' };

/** Two customers with one address, from one file. Annika is older. */
async function givenFamily(orgId: string) {
  const organisation = ['--name', 'Harbour City FC', '--country', 'AU', '--timezone', 'Australia/Melbourne'];
  await documentOf(admin, 'org', 'create', ...organisation, '--id', orgId);
  const csv = [
    'org_customer_id,first_name,last_name,email_address,add_date',
    `C-2,Benno,Ray,Rays@Example.com,${noonUnix - 1000}`,
    `C-1,Annika,Ray,rays@example.com,${noonUnix - 2000}`,
  ].join('\n');
  const imported = await documentOf(admin, 'import', 'customers', orgId, files.write(`${orgId}.csv`, csv));
  expect(imported).toMatchObject({ created: 2, rejected: 0 });
  const [ann, ben, ...others] = await customersAt(table, orgId, emailAddress);
  expect([ann, ben, ...others]).toMatchObject([{ orgCustomerId: 'C-1' }, { orgCustomerId: 'C-2' }]);
  return { annId: ann?.userId ?? 0, benId: ben?.userId ?? 0 };
}

async function textsOf(orgId: string): Promise<string[]> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return Items.filter(({ pk }) => String(pk).split('#')[1] === orgId)
    .map((item) => JSON.stringify(item))
    .sort();
}

describe('erasing one of several customers who share an email address', () => {
  it('leaves the others with their orders, scans, events, baskets and payments', async () => {
    const orgId = 'org_family';
    const { annId, benId } = await givenFamily(orgId);
    const deps = checkoutDepsOf(table, orgId, shortTimeout);
    const { price, event } = await givenOnSale(table, orgId);
    const basketOf = async (buyer: typeof annika, paymentMethod: string) => {
      const { basketId } = await givenBasket(deps, price);
      await checkOutWith(deps, basketId, { buyer, paymentMethod });
      return basketId;
    };
    const bought = { annika: await basketOf(annika, 'pm_card_visa'), benno: await basketOf(benno, 'pm_card_visa') };
    const pending = { annika: await basketOf(annika, 'pm_card_late'), benno: await basketOf(benno, 'pm_card_late') };
    const open = {
      annika: await basketOf(annika, 'pm_card_declined'),
      benno: await basketOf(benno, 'pm_card_declined'),
    };
    const past = async (buyer: typeof annika, barcode: string) => {
      const tickets = [aTicket({ barcode, ticketName: buyer.firstName })];
      const order = anOrder({ ...buyer, eventId: event.eventId, userId: null, tickets });
      await writeOrder(table, orgId, order);
      await scanAtGate(table, orgId, event.eventId, barcode);
      return order.orderId;
    };
    const pastOrders = { annika: await past(annika, 'PAST-A'), benno: await past(benno, 'PAST-B') };
    const others = await past({ ...annika, firstName: 'Carla' }, 'PAST-C');
    const ofAnnika = (texts: readonly string[]) => texts.filter((text) => text.includes('Annika'));
    const before = ofAnnika(await textsOf(orgId));
    expect(before.length).toBeGreaterThan(10);

    const { orders, baskets } = await documentOf(admin, 'customer', 'export', orgId, 'C-2');
    expect(orders.map(({ order_id }: { order_id: number }) => order_id).sort()).toEqual(
      [bought.benno, pastOrders.benno].sort(),
    );
    expect(baskets).toHaveLength(2);
    expect(await documentOf(admin, 'customer', 'erase', orgId, 'C-2', '--yes')).toMatchObject({
      erased: { orders: 2, baskets: 2, scans: 1, events: 1, customer: 1 },
    });

    const left = await textsOf(orgId);
    expect(left.filter((text) => /benno/i.test(text))).toEqual([]);
    expect(ofAnnika(left)).toEqual(before);
    expect(await statusOf(deps, open.annika)).toBe('open');
    expect(await statusOf(deps, open.benno)).toBe('cancelled');
    expect(await scansOf(table, orgId)).toContainEqual(['PAST-A', 'Annika', emailAddress]);
    expect(await readOrder(table, orgId, others)).toMatchObject({ firstName: 'Carla' });

    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await readOrder(table, orgId, pending.annika)).toMatchObject({ userId: annId, firstName: 'Annika' });
    expect(await readOrder(table, orgId, pending.benno)).toMatchObject({ userId: benId, firstName: null });
    expect(await customersAt(table, orgId, emailAddress)).toMatchObject([{ userId: annId }]);

    // What no other customer is named in belongs to the one that is left.
    await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    expect((await textsOf(orgId)).filter((text) => /annika|carla|rays@/i.test(text))).toEqual([]);
  });

  it('imports, edits and exports keep every customer of the address', async () => {
    const orgId = 'org_familyfiles';
    await givenFamily(orgId);
    const { stdout } = await admin('export', 'customers', orgId, '--format', 'ndjson', '--local');
    const rows = stdout.split('\n').map((line) => JSON.parse(line));
    expect(rows.map(({ email_address }) => email_address.toLowerCase())).toEqual([emailAddress, emailAddress]);
    const again = await documentOf(admin, 'import', 'customers', orgId, files.write('again.ndjson', stdout));
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 });
    const move = (address: string) => {
      const row = JSON.stringify({ org_customer_id: 'C-2', email_address: address });
      return documentOf(admin, 'import', 'customers', orgId, files.write('move.ndjson', row));
    };
    expect(await move('other@example.com')).toMatchObject({ updated: 1 });
    expect(await customersAt(table, orgId, emailAddress)).toMatchObject([{ orgCustomerId: 'C-1' }]);
    expect(await move(emailAddress)).toMatchObject({ updated: 1 });
    expect(await customersAt(table, orgId, emailAddress)).toHaveLength(2);
    expect(await findCustomer(table, orgId, 'C-2')).toMatchObject({ emailAddress });
  });
});
