import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { type CustomerDraft, saveCustomer } from '../../../shared/data/customers/save.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import {
  customersAt,
  everyCustomerItem,
  givenCustomer,
  itemsOf,
  someSecond,
} from '../../../tools/fixtures/customers.ts';
import { crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

function newOrganisation(): string {
  organisations += 1;
  return `org_save${organisations}`;
}

const save = (orgId: string, draft: CustomerDraft, through = table) =>
  saveCustomer(through, orgId, draft, someSecond + 100);

const find = (orgId: string, id: string) => findCustomer(table, orgId, id, { consistent: true });

async function expectExactly(orgId: string, customers: readonly (CustomerRecord | undefined)[]): Promise<void> {
  const known = customers.filter((customer) => customer !== undefined);
  expect(await everyCustomerItem(table, orgId)).toEqual(itemsOf(orgId, known));
}

const anna: CustomerDraft = {
  orgCustomerId: 'C-1',
  firstName: 'Anna Maria',
  lastName: "O'Brien-Müller",
  emailAddress: 'Anna@Example.com',
  mobileNumber: '+44 7700 900-123',
  postcode: 'SW1A 1AA',
};

describe('saving a new customer', () => {
  it('a new customer has the second it was added in its id, and that id as its org_customer_id when none is given', async () => {
    const orgId = newOrganisation();
    const customer = await givenCustomer(table, orgId, { firstName: 'Ada', addedUnix: 1_000_000 });
    expect(Math.floor(customer.userId / 2 ** 21)).toBe(1_000_000);
    expect(customer).toMatchObject({ orgCustomerId: String(customer.userId), updatedUnix: null, lastName: null });
    expect(await find(orgId, customer.orgCustomerId)).toEqual(customer);
  });

  it('a customer is found by its exact org_customer_id, and by its email address in any case', async () => {
    const orgId = newOrganisation();
    const customer = await givenCustomer(table, orgId, anna);
    expect(await find(orgId, 'C-1')).toEqual(customer);
    expect(await find(orgId, 'c-1')).toBeUndefined();
    expect(await customersAt(table, orgId, ' anna@EXAMPLE.com')).toEqual([customer]);
    expect(await customersAt(table, newOrganisation(), 'anna@example.com')).toEqual([]);
    expect(await customersAt(table, orgId, 'x'.repeat(5_000))).toEqual([]);
  });

  it('a new customer gets another id when its own is taken', async () => {
    const orgId = newOrganisation();
    const drafts = Array.from({ length: 3 }, () => ({ addedUnix: 5, firstLowBits: 7 }));
    const customers: CustomerRecord[] = [];
    for (const draft of drafts) customers.push(await givenCustomer(table, orgId, draft));
    expect(customers[0]?.userId).toBe(idOf(5, 7));
    expect(new Set(customers.map(({ userId }) => userId)).size).toBe(3);
    expect(customers.every(({ userId }) => Math.floor(userId / 2 ** 21) === 5)).toBe(true);
    await expectExactly(orgId, customers);
  });

  it('a new customer gets another id also when its id is the org_customer_id of an imported customer', async () => {
    const orgId = newOrganisation();
    const occupant = await givenCustomer(table, orgId, { orgCustomerId: String(idOf(5, 7)) });
    const customer = await givenCustomer(table, orgId, { addedUnix: 5, firstLowBits: 7, emailAddress: 'a@b.c' });
    expect(customer.userId).not.toBe(idOf(5, 7));
    await expectExactly(orgId, [occupant, customer]);
  });

  it.each([
    ['orgCustomerId', ''],
    ['orgCustomerId', 'x'.repeat(101)],
    ['firstName', 'x'.repeat(201)],
    ['emailAddress', `${'é'.repeat(127)}@`],
    ['emailAddress', '\ufdfa'.repeat(50)],
    ['mobileNumber', '1'.repeat(51)],
  ])('a new customer is refused when its %s cannot be stored', async (field, value) => {
    expect(await save(newOrganisation(), { [field]: value })).toMatchObject({ outcome: 'invalid', field });
  });

  it('a new customer may have the longest values, with characters that grow when they are folded', async () => {
    const orgId = newOrganisation();
    const long = (length: number): string => '\ufdfa'.repeat(length);
    const values = { orgCustomerId: long(100), firstName: long(200), lastName: '\u{1f600}'.repeat(100) };
    const customer = await givenCustomer(table, orgId, { ...values, mobileNumber: long(50), postcode: long(50) });
    expect(await find(orgId, long(100))).toEqual(customer);
    await expectExactly(orgId, [customer]);
  });

  it('a new customer with more words than a transaction holds keeps some words of every field, and can still be changed', async () => {
    const orgId = newOrganisation();
    const words = (letter: string): string =>
      Array.from({ length: 50 }, (_, index) => `${letter}${index + 10}`).join(' ');
    const names = { firstName: words('a'), lastName: words('b'), emailAddress: 'c@d.e' };
    await givenCustomer(table, orgId, { ...names, orgCustomerId: 'x', postcode: '1000' });
    const saved = await save(orgId, { orgCustomerId: 'x', firstName: words('f'), lastName: words('g') });
    if (saved.outcome !== 'updated') throw new Error(saved.outcome);
    await expectExactly(orgId, [saved.customer]);
    const partitions = (await everyCustomerItem(table, orgId))
      .map(({ pk }) => String(pk))
      .filter((pk) => /word/.test(pk));
    expect(partitions).toHaveLength(40);
    expect(new Set(partitions.map((pk) => pk.at(-1)))).toEqual(new Set(['1', 'c', 'd', 'f', 'g']));
  });
});

describe('changing a customer', () => {
  it('changing a customer keeps other fields, sets updated_at and leaves no old view or owned address', async () => {
    const orgId = newOrganisation();
    const before = await givenCustomer(table, orgId, anna);
    const change = { orgCustomerId: 'C-1', lastName: 'Schmidt', emailAddress: 'anna@schmidt.example', postcode: null };
    const saved = await save(orgId, change);
    const after = { ...before, ...change, updatedUnix: someSecond + 100, version: 2 };
    expect(saved).toEqual({ outcome: 'updated', customer: after });
    await expectExactly(orgId, [after]);
  });

  it('changing a customer to its current values writes nothing and keeps updated_at', async () => {
    const orgId = newOrganisation();
    const customer = await givenCustomer(table, orgId, anna);
    expect(await save(orgId, anna, crashBefore(table))).toEqual({ outcome: 'unchanged', customer });
  });

  it('changing the spelling of an email address replaces its entries', async () => {
    const orgId = newOrganisation();
    await givenCustomer(table, orgId, anna);
    const saved = await save(orgId, { orgCustomerId: 'C-1', emailAddress: 'ANNA@example.com' });
    if (saved.outcome !== 'updated') throw new Error(saved.outcome);
    await expectExactly(orgId, [saved.customer]);
  });

  it('an email address that differs by an accent belongs to another customer', async () => {
    const orgId = newOrganisation();
    const people = ['jose@example.com', 'josé@example.com'];
    const customers: CustomerRecord[] = [];
    for (const emailAddress of people) customers.push(await givenCustomer(table, orgId, { emailAddress }));
    await expectExactly(orgId, customers);
    expect(await customersAt(table, orgId, 'josé@example.com')).toEqual(customers.slice(1));
  });
});

describe('concurrent customer writes', () => {
  it('ten concurrent imports of the same customer create one customer', async () => {
    const orgId = newOrganisation();
    const results = await Promise.all(Array.from({ length: 10 }, () => save(orgId, anna)));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['created', ...Array(9).fill('unchanged')]);
    await expectExactly(orgId, [await find(orgId, 'C-1')]);
  });

  it('concurrent changes of different customer fields are all kept, and the views match the last', async () => {
    const orgId = newOrganisation();
    await givenCustomer(table, orgId, anna);
    const changes = [{ firstName: 'Ida' }, { lastName: 'Berg' }, { postcode: '1' }, { mobileNumber: '2' }];
    const drafts = [...changes, { emailAddress: 'ida@berg.example' }, { marketingEmails: true }];
    await Promise.all(drafts.map((draft) => save(orgId, { ...draft, orgCustomerId: 'C-1' })));
    const after = await find(orgId, 'C-1');
    expect(after).toMatchObject({ ...Object.assign({}, ...drafts), version: 7 });
    await expectExactly(orgId, [after]);
  });

  it('two customers that swap email addresses concurrently end as two customers with one address each', async () => {
    const orgId = newOrganisation();
    await givenCustomer(table, orgId, { orgCustomerId: 'a', emailAddress: 'a@x.y' });
    await givenCustomer(table, orgId, { orgCustomerId: 'b', emailAddress: 'b@x.y' });
    await Promise.all([
      save(orgId, { orgCustomerId: 'a', emailAddress: 'b@x.y' }),
      save(orgId, { orgCustomerId: 'b', emailAddress: 'a@x.y' }),
    ]);
    await expectExactly(orgId, [await find(orgId, 'a'), await find(orgId, 'b')]);
  });
});

describe('customer writes and crashes', () => {
  it('a crash before the customer transaction changes nothing, after it everything; a repeat completes either', async () => {
    const orgId = newOrganisation();
    await expect(save(orgId, anna, crashBefore(table))).rejects.toBe(crash);
    await expectExactly(orgId, []);
    await expect(save(orgId, anna, crashAfter(table))).rejects.toBe(crash);
    const created = await find(orgId, 'C-1');
    await expectExactly(orgId, [created]);
    expect(await save(orgId, anna)).toMatchObject({ outcome: 'unchanged' });

    const change = { orgCustomerId: 'C-1', firstName: 'Eva', emailAddress: 'eva@example.com' };
    await expect(save(orgId, change, crashBefore(table))).rejects.toBe(crash);
    await expectExactly(orgId, [created]);
    await expect(save(orgId, change, crashAfter(table))).rejects.toBe(crash);
    expect(await save(orgId, change)).toMatchObject({ outcome: 'unchanged', customer: { version: 2 } });
    await expectExactly(orgId, [await find(orgId, 'C-1')]);
  });

  it('saving a customer retries transaction conflicts', async () => {
    const orgId = newOrganisation();
    const contended = faultyTable(table, async (send, attempt) => {
      if (attempt > 3) return send();
      const reasons = [{ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' }];
      throw new TransactionCanceledException({ message: 'conflict', $metadata: {}, CancellationReasons: reasons });
    });
    const saved = await save(orgId, anna, contended);
    if (saved.outcome !== 'created') throw new Error(saved.outcome);
    await expectExactly(orgId, [saved.customer]);
  });

  it('saving a customer passes on every other error of the table', async () => {
    const broken = faultyTable(table, () => {
      const reasons = [{ Code: 'ValidationError' }];
      throw new TransactionCanceledException({ message: 'no', $metadata: {}, CancellationReasons: reasons });
    });
    await expect(save(newOrganisation(), anna, broken)).rejects.toThrow(TransactionCanceledException);
  });
});
