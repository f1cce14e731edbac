import { describe, expect, it, vi } from 'vitest';
import { personOf } from '../../../admin/person/section.ts';
import { personSections } from '../../../admin/person/sections.ts';
import { handle as addOne } from '../../../functions/api/baskets/add-basket-item.ts';
import { handle as checkOutOne } from '../../../functions/api/baskets/check-out-basket.ts';
import { handle as openOne } from '../../../functions/api/baskets/open-basket.ts';
import { handle as record } from '../../../functions/api/events/record-scan.ts';
import { handle as createOne } from '../../../functions/api/members/create-member.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../../shared/operations/baskets/open-basket.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { createMember } from '../../../shared/operations/members/create-member.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callOperation, type OperationCall } from '../../support/call-operation.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { crashingAt } from '../../support/import-files.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { Shop } from '../../support/storefront-shop.ts';
import { testClientConfig } from '../../support/table.ts';
import { crashPoints, longTest } from '../../support/thorough.ts';

await givenStackSecret();

vi.stubEnv('PAYMENTS', 'sandbox');

const nowMs = noonUnix * 1000;
const { table, admin } = await givenAdmin(() => nowMs);

const people = {
  'C-1': { firstName: 'Xanthippe', lastName: 'Quixley', emailAddress: 'quixley@trace.example' },
  'C-2': { firstName: 'Grace', lastName: 'Hopper', emailAddress: 'grace@example.com' },
} as const;
type CustomerId = keyof typeof people;
let organisations = 0;

/** Two people. Both join, buy and enter, and each request has an Idempotency-Key. */
async function givenRequests() {
  organisations += 1;
  const orgId = await givenOrganisation(table, `org_responses${organisations}`);
  const { text: bearer } = await givenKey(table, orgId);
  const { price, event } = await givenOnSale(table, orgId);
  const requests: (() => Promise<{ status: number; body: Readonly<Record<string, unknown>> }>)[] = [];
  const entries: OperationCall[] = [];
  for (const [orgCustomerId, person] of Object.entries(people)) {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId, ...person });
    const { basketId } = await givenBasket(checkoutDepsOf(table, orgId), price);
    const request = { table, nowMs, bearer, idempotencyKey: orgCustomerId };
    const names = { first_name: person.firstName, last_name: person.lastName };
    const join = { ...request, body: { user_id: String(userId), ...names, address: 'Trace Street 1' } };
    const customer = { email: person.emailAddress, ...names };
    const buy = {
      ...request,
      params: { basket_id: String(basketId) },
      body: { customer, payment_method: 'pm_card_visa' },
    };
    const bought = await callOperation(checkOutBasket, checkOutOne, buy);
    expect(bought.status).toBe(201);
    const [ticket] = bought.body.tickets as readonly { readonly barcode: string }[];
    const enter = {
      ...request,
      params: { event_id: String(event.eventId) },
      body: { barcode: ticket?.barcode ?? '', direction: 'in' },
    };
    entries.push(enter);
    requests.push(
      () => callOperation(checkOutBasket, checkOutOne, buy),
      () => callOperation(createMember, createOne, join),
      () => callOperation(recordScan, record, enter),
    );
    for (const send of requests.slice(-3)) expect([200, 201]).toContain((await send()).status);
  }
  return { orgId, requests, entries };
}

const responsesOf = async (orgId: string, trace: RegExp): Promise<string[]> =>
  (await itemsLike(table, `IDM#${orgId}#`)).map((item) => JSON.stringify(item)).filter((text) => trace.test(text));

const ofErased = /quixley|xanthippe/i;
const ofOther = /hopper|grace/i;

async function erase(through: Table, orgId: string, orgCustomerId: CustomerId): Promise<void> {
  const customer = await findCustomer(through, orgId, orgCustomerId, { consistent: true });
  if (customer === undefined) throw new Error('The customer does not exist.');
  const person = await personOf(through, orgId, customer, {
    clock: { nowMs: () => nowMs },
    requestId: 'test',
  });
  for (const section of personSections(person)) await section.erase(person);
}

describe('responses stored for an Idempotency-Key', () => {
  it('are part of customer export and customer erase; those of other people stay as they are', async () => {
    const { orgId, requests } = await givenRequests();
    expect(await responsesOf(orgId, ofErased)).toHaveLength(3);
    const others = await responsesOf(orgId, ofOther);
    expect(others).toHaveLength(3);
    const exported = await documentOf(admin, 'customer', 'export', orgId, 'C-1');
    expect(exported.stored_responses).toHaveLength(3);
    expect(JSON.stringify(exported.stored_responses)).not.toMatch(ofOther);

    const erased = await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    expect(erased).toMatchObject({ erased: { stored_responses: 3 } });
    expect(await responsesOf(orgId, ofErased)).toEqual([]);
    expect(await responsesOf(orgId, ofOther)).toEqual(others);
    const again = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local');
    expect(again.stdout).toContain('stored_responses 0');

    // The repeat gets the first response without the person, and changes nothing.
    const members = await itemsLike(table, `MEM#${orgId}`);
    for (const repeat of requests.slice(0, 3)) {
      const { status, body } = await repeat();
      expect([200, 201]).toContain(status);
      expect(JSON.stringify(body)).not.toMatch(ofErased);
    }
    expect(await itemsLike(table, `MEM#${orgId}`)).toEqual(members);
    const [bought] = requests;
    expect(await bought?.()).toMatchObject({
      body: { status: 'confirmed', customer: { email: null, first_name: null }, tickets: [{ ticket_name: null }] },
    });
  });

  it('are erased when they show a basket that became no order', async () => {
    organisations += 1;
    const orgId = await givenOrganisation(table, `org_responses${organisations}`);
    const { text: bearer } = await givenKey(table, orgId);
    const { price } = await givenOnSale(table, orgId);
    for (const [orgCustomerId, person] of Object.entries(people)) {
      await givenCustomer(table, orgId, { orgCustomerId, ...person });
      const names = { first_name: person.firstName, last_name: person.lastName };
      const request = { table, nowMs, bearer, idempotencyKey: orgCustomerId };
      const customer = { email: person.emailAddress, ...names };
      const body = { org: orgId, hold_until_unix: noonUnix + 86_400, reason: `For ${person.firstName}`, customer };
      const { body: opened } = await callOperation(openBasket, openOne, { ...request, body });
      const params = { basket_id: String(opened.id) };
      const item = { price_id: String(price.priceId), quantity: 1, holders: [names] };
      const added = await callOperation(addBasketItem, addOne, { ...request, params, body: item });
      expect(added.status).toBe(200);
    }
    expect(await responsesOf(orgId, ofErased)).toHaveLength(1);
    const others = await responsesOf(orgId, ofOther);
    const exported = await documentOf(admin, 'customer', 'export', orgId, 'C-1');
    expect(exported.stored_responses).toHaveLength(1);
    await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    expect(await responsesOf(orgId, ofErased)).toEqual([]);
    expect(await responsesOf(orgId, ofOther)).toEqual(others);
  });

  it('are erased when they show the checkout of a page, which has no ids of the customer', async () => {
    organisations += 1;
    const orgId = await givenOrganisation(table, `org_responses${organisations}`);
    const { price } = await givenOnSale(table, orgId);
    const shop = new Shop(table, orgId, (await givenStorefrontToken(table, orgId)).text, { nowMs });
    const { firstName, lastName, emailAddress } = people['C-1'];
    await givenCustomer(table, orgId, { orgCustomerId: 'C-1', ...people['C-1'] });
    const basket = await shop.opened();
    await shop.add(basket, price.priceId);
    const customer = { email: emailAddress, first_name: firstName, last_name: lastName };
    const body = { customer, payment_method: 'pm_card_visa' };
    expect((await shop.checkOut(basket, { body, idempotencyKey: 'page' })).status).toBe(201);
    expect(await responsesOf(orgId, ofErased)).toHaveLength(1);
    await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    expect(await responsesOf(orgId, ofErased)).toEqual([]);
  });

  it('are erased when a request has read the person before the erase and stores its response during the erase', async () => {
    const { orgId, entries } = await givenRequests();
    const [enter] = entries;
    if (enter === undefined) throw new Error('The request is missing.');
    let store: () => void = () => {};
    const isErasing = new Promise<void>((resolve) => {
      store = resolve;
    });
    let isReading: () => void = () => {};
    const hasRead = new Promise<void>((resolve) => {
      isReading = resolve;
    });
    // The first update counts the request, the second one stores the response.
    const slow = faultyTable(
      table,
      async (send, attempt) => {
        if (attempt === 2) {
          isReading();
          await isErasing;
        }
        await send();
      },
      /^Update/,
    );
    const simulation = callOperation(recordScan, record, {
      ...enter,
      table: slow,
      idempotencyKey: 'simulated',
      body: { ...Object(enter.body), simulate: true },
    });
    await hasRead;
    // The erase reads a single stored response only when it waits for the request.
    const watched = openTable(table.name, testClientConfig());
    watched.client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        if (JSON.stringify(args.input).includes('"Key":{"pk":"IDM#')) store();
        return result;
      },
      { step: 'initialize', priority: 'high' },
    );
    await erase(watched, orgId, 'C-1');
    expect(await simulation).toMatchObject({ status: 201, body: { scan: { ticket_name: 'Xanthippe Quixley' } } });
    expect(await responsesOf(orgId, ofErased)).toEqual([]);
    slow.client.destroy();
    watched.client.destroy();
  });

  longTest(
    'are erased by the repeat of an erase that was interrupted at any write',
    async () => {
      for (const write of crashPoints()) {
        const { orgId } = await givenRequests();
        const crashing = crashingAt(table, write);
        const isOver = await erase(crashing, orgId, 'C-1').then(
          () => true,
          () => false,
        );
        crashing.client.destroy();
        await erase(table, orgId, 'C-1');
        expect({ write, left: await responsesOf(orgId, ofErased) }).toEqual({ write, left: [] });
        expect(await responsesOf(orgId, ofOther)).toHaveLength(3);
        if (!isOver) continue;
        expect(write).toBeGreaterThan(8);
        return;
      }
    },
    120_000,
  );
});
