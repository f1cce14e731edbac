import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieve } from '../../../functions/api/customers/retrieve-customer.ts';
import { handle as setAll } from '../../../functions/api/customers/set-customer-attributes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { retrieveCustomer } from '../../../shared/operations/customers/retrieve-customer.ts';
import { setCustomerAttributes } from '../../../shared/operations/customers/set-customer-attributes.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { callOperation } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_attributes';
let table: Table;
let bearer: string;
beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  await givenCustomer(table, orgId, { orgCustomerId: 'C-1' });
  bearer = (await givenKey(table, orgId)).text;
});

const base = () => ({ table, bearer, nowMs: Date.UTC(2026, 10, 7, 12), params: { customer_id: 'C-1' } });
const set = (attributes: unknown, customer_id = 'C-1') =>
  callOperation(setCustomerAttributes, setAll, { ...base(), params: { customer_id }, body: { attributes } });
const shown = async () => (await callOperation(retrieveCustomer, retrieve, base())).body.attributes;

describe('the attributes of a customer', () => {
  it('are replaced as a whole, and shown with the customer', async () => {
    expect(await shown()).toEqual({});
    expect(await set({ points: 120, access_verified: 1 })).toMatchObject({
      status: 200,
      body: { org_customer_id: 'C-1', attributes: { points: 120, access_verified: 1 } },
    });
    await set({ points: 90.5 });
    expect(await shown()).toEqual({ points: 90.5 });
    await set({});
    expect(await shown()).toEqual({});
  });

  it.each([
    ['a name with capitals', { Points: 1 }],
    ['a text', { points: '1' }],
    ['21 names', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`a${index}`, index]))],
    ['a list', [1]],
  ])('are refused with %s', async (_what, attributes) => {
    const { status, body } = await set(attributes);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid' } } });
    expect(await shown()).toEqual({});
  });

  it('are stored exactly, up to the largest numbers that are exact, and refused beyond them', async () => {
    const exact = { most: 2 ** 53 - 1, least: -(2 ** 53 - 1), tiny: 1e-130, part: 0.1234567890123456, none: 0 };
    expect((await set(exact)).status).toBe(200);
    expect(await shown()).toEqual(exact);
    for (const points of [2 ** 53, -(2 ** 53), 1e20, 1e308, 1e-131, 1e-308]) {
      const { status, body } = await set({ points });
      expect({ status, body, points }).toMatchObject({
        status: 400,
        body: { error: { code: 'parameter_invalid', param: 'attributes.points' } },
      });
    }
    expect(await shown()).toEqual(exact);
    await set({});
  });

  it('belong to a customer that exists', async () => {
    expect((await set({ points: 1 }, 'C-2')).status).toBe(404);
  });
});
