import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as checkOut } from '../../../functions/api/baskets/check-out-basket.ts';
import { handle as open } from '../../../functions/api/baskets/open-basket.ts';
import { handle as listEntries } from '../../../functions/api/journal/list-journal-entries.ts';
import { openBasket as openRow, readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Scope } from '../../../shared/domain/auth/scopes.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../../shared/operations/baskets/open-basket.ts';
import { listJournalEntries } from '../../../shared/operations/journal/list-journal-entries.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { addItem, givenOnSale, newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { addType, givenType } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const staff: readonly Scope[] = ['baskets:write', 'counter'];
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const tender = { kind: 'cash', station: 'till 1', operator: '7', reference: 'R-1' };

/** A basket of the counter, or of a shop, with two tickets for 64.30. */
async function givenTickets(channel: 'counter' | 'online' = 'counter') {
  const deps = newCheckoutDeps(table);
  const { orgId, nowUnix } = deps;
  await givenOrganisation(table, orgId);
  const { price } = await givenOnSale(table, orgId);
  const { basketId } = await openRow(table, { orgId, nowUnix, channel });
  await addItem(deps, basketId, price, 2);
  const call = { table, orgId, nowMs: nowUnix * 1000, scopes: staff };
  const send = (body: object, changes: object = {}) =>
    callHandler(
      checkOutBasket,
      checkOut,
      { params: { basket_id: String(basketId) }, body: { customer, ...body } },
      { ...call, ...changes },
    );
  return { deps, basketId, call, send };
}

describe('check-out-basket with a tender', () => {
  it('answers with the change of what was received, and the journal shows who took it', async () => {
    const { send, call, deps } = await givenTickets();
    const answer = await send({ tender: { ...tender, received: 100 } });
    expect(answer).toMatchObject({ status: 'confirmed', total: 64.3, change: 35.7 });
    const { data } = await callHandler(
      listJournalEntries,
      listEntries,
      { query: { order_id: answer.order_id } },
      { ...call, scopes: ['finance'], nowMs: (deps.nowUnix + 60) * 1000 },
    );
    expect(data).toMatchObject([
      { kind: 'sale', tender: { kind: 'cash', station: 'till 1', operator: '7', reference: 'R-1' } },
    ]);
  });

  it('has no change if nothing says what was received', async () => {
    const { send } = await givenTickets();
    expect(await send({ tender })).toMatchObject({ status: 'confirmed', change: null });
  });

  it.each([
    { about: 'without the scope', body: { tender }, caller: { scopes: ['baskets:write'] }, code: 'scope_missing' },
    {
      about: 'with a storefront token',
      body: { tender },
      caller: { kind: 'storefront', scopes: [] },
      code: 'scope_missing',
    },
    { about: 'with a payment method', body: { tender, payment_method: 'pm_card_visa' }, code: 'parameter_conflict' },
    { about: 'with instalments', body: { tender, membership_payment_option_id: 'six' }, code: 'parameter_conflict' },
    {
      about: 'of too little money',
      body: { tender: { ...tender, received: 64.29 } },
      code: 'parameter_invalid',
      param: 'tender.received',
    },
    {
      about: 'of a terminal that gives change',
      body: { tender: { kind: 'terminal', received: 70 } },
      code: 'parameter_conflict',
      param: 'tender.received',
    },
  ])('is refused $about, and writes nothing', async ({ body, caller = {}, code, param = 'tender' }) => {
    const { send, basketId, call } = await givenTickets();
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send(body, caller)).rejects.toMatchObject({ details: [{ code, param }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });

  it.each([
    { about: 'a cheque', unknown: { kind: 'cheque' }, key: 'kind' },
    { about: 'no kind', unknown: {}, key: 'kind' },
    { about: 'an operator of 41 characters', unknown: { kind: 'cash', operator: 'x'.repeat(41) }, key: 'operator' },
  ])('does not know $about, and writes nothing', async ({ unknown, key }) => {
    const { send, basketId, call } = await givenTickets();
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send({ tender: unknown })).rejects.toMatchObject({ issues: [{ path: [{ key: 'tender' }, { key }] }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });

  it('is refused in an online basket, and writes nothing', async () => {
    const { send, basketId, call } = await givenTickets('online');
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send({ tender })).rejects.toMatchObject({ details: [{ code: 'not_at_counter', param: 'tender' }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });

  it.each([
    {
      about: 'on an invoice',
      sent: { tender: { kind: 'invoice', due_unix: noonUnix + 86_400 } },
      param: 'tender.kind',
    },
    { about: 'without a customer', sent: { tender, customer: undefined }, param: 'customer' },
  ])('sells no membership $about, and writes nothing', async ({ sent, param }) => {
    const { deps, send, basketId, call } = await givenTickets();
    await addType(deps, basketId, await givenType(table, deps.orgId));
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send(sent)).rejects.toMatchObject({ details: [{ param }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });
});

describe('open-basket with the channel counter', () => {
  it('needs the scope counter', async () => {
    const { orgId, nowUnix } = newCheckoutDeps(table);
    const call = { table, orgId, nowMs: nowUnix * 1000 };
    const body = { org: orgId, channel: 'counter' };
    expect(await callHandler(openBasket, open, { body }, { ...call, scopes: staff })).toMatchObject({
      channel: 'counter',
    });
    for (const kind of ['secret', 'storefront'] as const) {
      const refused = callHandler(openBasket, open, { body }, { ...call, kind, scopes: ['baskets:write'] });
      await expect(refused).rejects.toMatchObject({ details: [{ code: 'scope_missing', param: 'channel' }] });
    }
  });

  it('is not what a basket has otherwise', async () => {
    const { orgId, nowUnix } = newCheckoutDeps(table);
    const call = { table, orgId, nowMs: nowUnix * 1000 };
    expect(await callHandler(openBasket, open, { body: { org: orgId } }, call)).toMatchObject({ channel: 'online' });
  });
});

describe('a complimentary tender', () => {
  it.each([
    { about: 'without a reason', tender: { kind: 'complimentary' }, code: 'parameter_missing', param: 'tender.reason' },
    {
      about: 'of blanks as a reason',
      tender: { kind: 'complimentary', reason: '  ' },
      code: 'parameter_missing',
      param: 'tender.reason',
    },
    {
      about: 'for cash with a reason',
      tender: { kind: 'cash', reason: 'Press' },
      code: 'parameter_conflict',
      param: 'tender.reason',
    },
  ])('is refused $about, and writes nothing', async ({ tender: wrong, code, param }) => {
    const { send, basketId, call } = await givenTickets();
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send({ tender: wrong })).rejects.toMatchObject({ details: [{ code, param }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });
});

describe('an invoice', () => {
  const day = 86_400;
  const due = (days: number) => ({ kind: 'invoice', due_unix: noonUnix + days * day });

  it.each([
    { about: 'without a date', sent: { tender: { kind: 'invoice' } }, code: 'parameter_missing' },
    { about: 'that is due in the past', sent: { tender: due(-1) }, code: 'parameter_invalid' },
    { about: 'that is due in more than a year', sent: { tender: due(367) }, code: 'parameter_invalid' },
    { about: 'for cash', sent: { tender: { ...due(1), kind: 'cash' } }, code: 'parameter_conflict' },
    {
      about: 'without a customer',
      sent: { tender: due(1), customer: undefined },
      code: 'customer_required',
      param: 'customer',
    },
  ])('is refused $about, and writes nothing', async ({ sent, code, param = 'tender.due_unix' }) => {
    const { send, basketId, call } = await givenTickets();
    const before = await readBasket(table, call.orgId, basketId);
    await expect(send(sent)).rejects.toMatchObject({ details: [{ code, param }] });
    expect(await readBasket(table, call.orgId, basketId)).toEqual(before);
  });

  it('is sold with a date and a customer', async () => {
    const { send } = await givenTickets();
    expect(await send({ tender: { ...due(30), valid: 'when_paid' } })).toMatchObject({
      status: 'confirmed',
      total: 64.3,
    });
  });
});

describe('check-out-basket without a tender', () => {
  it('needs a customer', async () => {
    const { send } = await givenTickets();
    const refused = send({ customer: undefined, payment_method: 'pm_card_visa' });
    await expect(refused).rejects.toMatchObject({ details: [{ code: 'parameter_missing', param: 'customer' }] });
  });
});
