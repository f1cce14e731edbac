import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/customers/list-customers.ts';
import { handle as retrieve } from '../../../functions/api/customers/retrieve-customer.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { listCustomers } from '../../../shared/operations/customers/list-customers.ts';
import { retrieveCustomer } from '../../../shared/operations/customers/retrieve-customer.ts';
import { aCustomer, givenCustomers, someSecond } from '../../../tools/fixtures/customers.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;

const allCustomers = Array.from({ length: 25 }, (_, index) =>
  aCustomer({
    orgCustomerId: `C ${index}/${index}`,
    addedUnix: someSecond + index,
    firstName: 'Ada',
    lastName: `Byron ${index}`,
    emailAddress: `ada${index}@example.com`,
    marketingEmails: true,
    updatedUnix: index === 0 ? someSecond + 1_000 : null,
  }),
);

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenCustomers(table, orgId, allCustomers);
});

const nowMs = someSecond * 1000;
const listWith = (query: Record<string, unknown> = {}) =>
  callHandler(listCustomers, list, { query }, { table, orgId, nowMs });

const resource = (customer: CustomerRecord | undefined) => ({
  add_date: Math.floor((customer?.userId ?? 0) / 2 ** 21),
  org_customer_id: customer?.orgCustomerId,
  user_id: customer?.userId,
  org_id: orgId,
  first_name: 'Ada',
  last_name: customer?.lastName,
  email_address: customer?.emailAddress,
  marketing_emails: true,
  metadata: {},
  mobile_number: null,
  postcode: null,
  new_event_notifications: false,
  updated_at: customer?.updatedUnix,
});

describe('list-customers', () => {
  it('list-customers returns the twenty newest customers by default', async () => {
    expect(await listWith()).toEqual({
      object: 'customers',
      url: 'https://api.example.com/stage/v1/customers',
      has_more: true,
      org_id: orgId,
      data: allCustomers.toReversed().slice(0, 20).map(resource),
    });
  });

  it.each([
    [{ page_number: 2 }, [4, 3, 2, 1, 0]],
    [{ sort_direction: 'asc', limit: 2 }, [0, 1]],
    [{ sort_field: 'updated_at', limit: 2 }, [0, 24]],
    [{ sort_field: 'first_name', sort_direction: 'asc', limit: 2 }, [0, 1]],
    [{ sort_field: 'last_name', sort_direction: 'asc', limit: 3 }, [0, 1, 10]],
    [{ sort_field: 'email_address', limit: 2 }, [9, 8]],
    [{ search: 'byron 24' }, [24]],
    [{ updated_since: someSecond + 23 }, [24, 0]],
    [{ updated_since: someSecond + 23, search: 'ADA0' }, [0]],
  ])('list-customers accepts %j', async (query, expected) => {
    expect(await listWith(query)).toMatchObject({ data: expected.map((index) => resource(allCustomers[index])) });
  });
});

describe('retrieve-customer', () => {
  const retrieveIt = (customer_id: string) =>
    callHandler(retrieveCustomer, retrieve, { params: { customer_id } }, { table, orgId });

  it('retrieve-customer returns a customer by org_customer_id', async () => {
    expect(await retrieveIt('C 7/7')).toEqual({ ...resource(allCustomers[7]), attributes: {} });
  });

  it.each(['c 7/7', 'C 7', '', String(allCustomers[7]?.userId), '#', 'x'.repeat(5_000)])(
    'retrieve-customer finds no customer by %j',
    async (id) => {
      await expect(retrieveIt(id)).rejects.toMatchObject({ code: 'resource_not_found' });
    },
  );
});
