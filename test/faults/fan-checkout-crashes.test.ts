import { beforeAll, expect, it } from 'vitest';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { findLink } from '../../shared/data/sso/links.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../shared/domain/baskets/checkout.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { customersAt, givenCustomer } from '../../tools/fixtures/customers.ts';
import { ada, checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../support/baskets.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const identity = { issuer: 'https://login.example.com', subject: 'grace' };
const grace = 'grace@example.com';
let organisations = 0;

it.each([
  ['creates the customer', null, 'before'],
  ['creates the customer', null, 'after'],
  ['finds the customer by the verified address', grace, 'before'],
  ['finds the customer by the verified address', grace, 'after'],
] as const)(
  'an order of a fan that %s (%s) and crashes %s any of its calls ends with one customer and its link, or with neither',
  async (_case, verifiedEmail, when) => {
    for (let call = 1; ; call += 1) {
      organisations += 1;
      const deps = checkoutDepsOf(table, `org_fancrash${organisations}`);
      const { orgId } = deps;
      if (verifiedEmail !== null) await givenCustomer(table, orgId, { emailAddress: verifiedEmail });
      const { price } = await givenOnSale(table, orgId);
      const { basketId } = await givenBasket(deps, price);
      const crashing = crashingTable(table, call, when);
      const user = { ...identity, providerId: 'login', verifiedEmail };
      const crashingDeps = { ...checkoutDepsOf(crashing.table, orgId), clock: deps.clock };
      await checkOutWith(crashingDeps, basketId, { signedIn: { user, userId: null } }).catch(() => undefined);
      deps.nowUnix += checkoutLeaseSeconds;
      await sweepBaskets(deps);
      const placed = await readOrderWithTickets(table, orgId, basketId);
      const link = await findLink(table, orgId, identity);
      const customers = await customersAt(table, orgId, verifiedEmail ?? ada.emailAddress);
      const expected = placed === undefined ? undefined : customers[0]?.userId;
      expect({ call, order: placed?.order.userId, link: link?.userId }).toEqual({
        call,
        order: expected,
        link: expected,
      });
      expect(customers.length).toBeLessThanOrEqual(1);
      if (crashing.hasCrashed()) continue;
      expect(call).toBeGreaterThan(8);
      return;
    }
  },
);
