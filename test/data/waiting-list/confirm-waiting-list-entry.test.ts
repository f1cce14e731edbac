import { beforeAll, describe, expect, it } from 'vitest';
import { personOf } from '../../../admin/person/section.ts';
import { waitingListsSection } from '../../../admin/person/waiting-lists.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenBasket } from '../../support/baskets.ts';
import { givenHeldPrice } from '../../support/held-price.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import {
  announced,
  audited,
  join,
  leave as leaveList,
  leftOf,
  list,
  serve,
  snatch,
  statuses,
} from '../../support/waiting-list.ts';

const day = 86_400;
let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

describe('an address that a page sends to join-waiting-list', () => {
  it('closes nothing and is offered nothing until it is confirmed: a hold of minutes does not become one of days', async () => {
    const { deps, price, ask, cancelHold } = await givenHeldPrice(table, 4);
    for (const name of ['made', 'up', 'addresses']) {
      expect(await ask(`${name}@example.com`, { quantity: 4 })).toMatchObject({ status: 201 });
    }
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 4 });
    await cancelHold();
    await serve(deps, price);
    const { basketId } = await openBasket(table, deps);
    expect(await snatch(deps, price, basketId)).toBe('changed');
    const inList = (await list(deps, price)).map(({ status, basket_id }) => ({ status, basket_id }));
    expect(inList).toEqual(Array.from({ length: 3 }, () => ({ status: 'unconfirmed', basket_id: null })));
    expect(await audited(deps, price)).toEqual([]);
  });

  it('gets one answer, whether it is new, asked before, waits, has an offer, has left or has bought', async () => {
    const { deps, price, phases, shop, junior, ask, cancelHold } = await givenHeldPrice(table, 1);
    // What an address has bought is not told either.
    await phases.created({ max_per_person: 2, price_ids: [junior.priceId, price.priceId] });
    const basket = await shop.opened();
    await shop.add(basket, junior.priceId, 2);
    const bought = (await shop.checkOut(basket)).body;
    const buyer = 'ada@example.com';
    expect(JSON.stringify(bought)).toContain(buyer);
    await join(deps, price, 'offered');
    await join(deps, price, 'waiting', { quantity: 1, accept_less: true });
    await leaveList(deps, await join(deps, price, 'gone'));
    await ask('asked@example.com');
    await cancelHold();
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(
      expect.arrayContaining(['offered offered', 'waiting waiting', 'asked unconfirmed']),
    );
    const answers: object[] = [];
    for (const name of ['new', 'asked', 'waiting', 'offered', 'gone', 'ada', 'ada']) {
      const { status, body } = await ask(`${name}@example.com`, { quantity: 1 });
      const { entry_id, email, ...rest } = body;
      expect([status, email]).toEqual([201, `${name}@example.com`]);
      expect(entry_id).toMatch(/^wle_/);
      answers.push(rest);
    }
    for (const answer of answers) {
      expect(answer).toEqual({
        event_id: String(price.eventId),
        price_id: price.priceId,
        status: 'unconfirmed',
        quantity: null,
        accept_less: null,
        created: null,
        basket_id: null,
        offered_quantity: null,
        offer_expires_at: null,
        entry_token: null,
      });
    }
    expect(await statuses(deps, price)).toEqual(expect.arrayContaining(['offered offered', 'waiting waiting']));
  });

  it('is announced once a day, and what the mail asked to confirm stays until then', async () => {
    const { deps, price, ask, mailTo } = await givenHeldPrice(table, 2);
    for (const quantity of [1, 2]) await ask('ada@example.com', { quantity });
    await ask('ADA+cup@example.com', { quantity: 2 });
    expect(await announced(deps)).toEqual(['joined ada']);
    expect(await mailTo('ada@example.com')).toMatchObject({ quantity: 1, status: 'unconfirmed' });
    deps.nowUnix += day - 1;
    await ask('ada@example.com', { quantity: 2 });
    expect(await announced(deps)).toEqual(['joined ada']);
    deps.nowUnix += 1;
    await ask('ada@example.com', { quantity: 2 });
    expect(await announced(deps)).toEqual(['joined ada', 'joined ada']);
    expect(await mailTo('ada@example.com')).toMatchObject({ quantity: 2, created: deps.nowUnix });
    expect(await leftOf(deps, price)).not.toHaveProperty('closed');
  });
});

describe('confirm-waiting-list-entry', () => {
  it('lets the person who has the token of the mail wait, and nobody else; the answer has the token to leave', async () => {
    const { deps, price, ask, confirm, leave, mailTo, cancelHold } = await givenHeldPrice(table, 1);
    const { body: asked } = await ask('ada@example.com');
    deps.nowUnix += 1;
    await ask('bob@example.com');
    const mail = await mailTo('ada@example.com');
    const others = await mailTo('bob@example.com');
    expect(mail?.confirm_token).toMatch(/^gl_confirm_/);
    for (const wrong of [undefined, 'gl_confirm_x', others?.confirm_token, mail?.entry_token]) {
      expect(await confirm(asked.entry_id, wrong)).toMatchObject({ status: 404 });
    }
    expect(await leftOf(deps, price)).not.toHaveProperty('closed');
    deps.nowUnix += 60;
    const { status, body } = await confirm(asked.entry_id, mail?.confirm_token);
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'waiting', created: deps.nowUnix })]);
    expect(body.entry_token).toBe(mail?.entry_token);
    expect((await confirm(asked.entry_id, mail?.confirm_token)).body).toEqual(body);
    expect(await leftOf(deps, price)).toMatchObject({ closed: true });
    expect(await announced(deps)).toEqual(['joined ada', 'joined bob', 'joined ada']);
    expect(await mailTo('ada@example.com')).toMatchObject({ confirm_token: null });
    await cancelHold();
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['bob unconfirmed', 'ada offered']);
    expect(await audited(deps, price)).toEqual([]);
    expect((await leave(asked.entry_id, body.entry_token)).body).toMatchObject({ status: 'left' });
    // The link of the mail again, after she has left.
    expect((await confirm(asked.entry_id, mail?.confirm_token)).body).toMatchObject({ status: 'left' });
    await serve(deps, price);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 1 });
  });

  it('ends the token of a mail with its entry, as soon as another request is announced', async () => {
    const { deps, ask, confirm, leave, mailTo } = await givenHeldPrice(table, 1);
    const { body: asked } = await ask('ada@example.com');
    const first = await mailTo('ada@example.com');
    const waitAndLeave = async (token: unknown) =>
      (await leave(asked.entry_id, (await confirm(asked.entry_id, token)).body.entry_token)).body.status;
    expect(await waitAndLeave(first?.confirm_token)).toBe('left');
    // Nobody writes to her again today, so the link that she has still works.
    await ask('ada@example.com');
    expect(await waitAndLeave(first?.confirm_token)).toBe('left');
    deps.nowUnix += day;
    await ask('ada@example.com');
    expect(await confirm(asked.entry_id, first?.confirm_token)).toMatchObject({ status: 404 });
    expect(await waitAndLeave((await mailTo('ada@example.com'))?.confirm_token)).toBe('left');
  });

  it('is refused when the price is not sold out any more, and by the limit per person', async () => {
    const { deps, price, phases, shop, junior, ask, confirm, mailTo, cancelHold } = await givenHeldPrice(table, 2);
    const phaseId = await phases.created({ max_per_person: 2, price_ids: [junior.priceId, price.priceId] });
    const basket = await shop.opened();
    await shop.add(basket, junior.priceId, 2);
    await shop.checkOut(basket);
    await ask('ada@example.com');
    const mail = await mailTo('ada@example.com');
    const confirmed = () => confirm(mail?.entry_id, mail?.confirm_token);
    expect(await confirmed()).toMatchObject({ status: 409, body: { error: { code: 'max_per_person_exceeded' } } });
    await phases.update(phaseId, { max_per_person: 3 });
    await cancelHold();
    expect(await confirmed()).toMatchObject({ status: 409, body: { error: { code: 'not_sold_out' } } });
    await givenBasket(deps, price, 2);
    expect(await confirmed()).toMatchObject({ status: 200, body: { status: 'waiting' } });
  });

  it("is not needed by a linked fan with the fan's own address; with any other, the fan is a page like all", async () => {
    const { deps, price, fan, ask, confirm, mailTo } = await givenHeldPrice(table, 1);
    const { headers, emailAddress } = await fan();
    await ask(emailAddress);
    const unconfirmed = await mailTo(emailAddress);
    expect(await confirm(unconfirmed?.entry_id, undefined, (await fan()).headers)).toMatchObject({ status: 404 });
    expect((await confirm(unconfirmed?.entry_id, undefined, headers)).body).toMatchObject({ status: 'waiting' });
    // A repetition shows the fan's own entry.
    expect((await ask(emailAddress.toUpperCase(), {}, headers)).body).toMatchObject({
      status: 'waiting',
      quantity: 1,
      entry_token: expect.stringMatching(/^gl_entry_/),
    });
    const other = await fan();
    expect((await ask(other.emailAddress, {}, other.headers)).body).toMatchObject({ status: 'waiting' });
    expect((await ask(emailAddress, {}, other.headers)).body).toMatchObject({ status: 'unconfirmed', quantity: null });
    expect((await ask('made-up@example.com', {}, other.headers)).body).toMatchObject({ status: 'unconfirmed' });
    expect((await statuses(deps, price)).filter((text) => text.endsWith('waiting'))).toHaveLength(2);
    expect(await audited(deps, price)).toEqual([]);
  });

  it('asks a fan to confirm an address that the fan only typed when buying', async () => {
    const { deps, price, fan, ask, confirm, leave } = await givenHeldPrice(table, 1);
    const { headers, emailAddress } = await fan({ isAddressUnproven: true });
    const { entry_id } = await join(deps, price, emailAddress);
    expect((await ask(emailAddress, {}, headers)).body).toMatchObject({ status: 'unconfirmed', entry_token: null });
    expect(await confirm(entry_id, undefined, headers)).toMatchObject({ status: 404 });
    expect(await leave(entry_id, undefined, headers)).toMatchObject({ status: 404 });
  });

  it('makes the entry that of the person who confirms, not of a fan who typed the address', async () => {
    const { deps, price, fan, ask, confirm, leave, mailTo } = await givenHeldPrice(table, 1);
    const [typing, reading] = [await fan(), await fan()];
    await ask('ada@example.com', {}, typing.headers);
    const mail = await mailTo('ada@example.com');
    const { body } = await confirm(mail?.entry_id, mail?.confirm_token);
    expect(body).toMatchObject({ status: 'waiting' });
    expect(await leave(mail?.entry_id, undefined, typing.headers)).toMatchObject({ status: 404 });
    await ask('bob@example.com', {}, typing.headers);
    const second = await mailTo('bob@example.com');
    await confirm(second?.entry_id, second?.confirm_token, reading.headers);
    expect(await leave(second?.entry_id, undefined, typing.headers)).toMatchObject({ status: 404 });
    expect((await leave(second?.entry_id, undefined, reading.headers)).body).toMatchObject({ status: 'left' });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('leaves an unconfirmed entry to the erasure of its address, also if a fan typed it', async () => {
    const { deps, orgId, price, fan, ask } = await givenHeldPrice(table, 1);
    const [typing, owner] = [await fan(), await fan()];
    await ask(owner.emailAddress, {}, typing.headers);
    const customer = await readCustomer(table, orgId, owner.userId);
    if (customer === undefined) throw new Error('The fan has no customer.');
    const person = await personOf(table, orgId, customer, { clock: deps.clock, requestId: 'run-1' });
    expect(await waitingListsSection.collect(person)).toMatchObject([{ status: 'unconfirmed' }]);
    expect(await waitingListsSection.erase(person)).toBe(1);
    expect(await statuses(deps, price)).toEqual([]);
  });
});
