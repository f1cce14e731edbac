import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, type TestCheckoutDeps } from '../../support/baskets.ts';
import { family } from '../../support/cancelled-members.ts';
import { addType, buyMembership, givenMembershipBasket, givenType, person } from '../../support/memberships.ts';
import { daySeconds } from '../../support/renewals.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { enter, givenBought as givenBoughtIn, givenWithdrawingClub, withdrawalsOf } from '../../support/withdrawals.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const givenBought = () => givenBoughtIn(table);

/** The rows of withdrawals of the organisation. */
async function withdrawalRows({ orgId }: TestCheckoutDeps) {
  return [...(await everyRow(table)).values()].filter(
    ({ pk }) => pk === `WDR#${orgId}` || pk.startsWith(`WDR#${orgId}#`),
  );
}

/** DynamoDB deletes the rows whose time to live is over. */
async function expire(deps: TestCheckoutDeps): Promise<void> {
  for (const { pk, sk, ttl } of await withdrawalRows(deps)) {
    const isOver = typeof ttl === 'number' && ttl <= deps.nowUnix;
    if (isOver) await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
}

describe('a withdrawal that a page asks for', () => {
  it('answers the same for every order and address, and only the owner of the address is asked to confirm, once a day', async () => {
    const { deps, orderId, ask, confirm, retrieve, events, list } = await givenBought();
    const shape = ({ status, body }: Awaited<ReturnType<typeof ask>>) => ({ status, ...body, withdrawal_id: 'one' });
    const own = await ask(orderId, 'Ada@example.com');
    const others = [await ask(orderId, 'eve@example.com'), await ask(orderId + 64, 'ada@example.com')];
    expect(own).toMatchObject({ status: 202, body: { status: 'unconfirmed', order_id: orderId, used: null } });
    expect(shape(others[0] ?? own)).toEqual(shape(own));
    expect(shape(others[1] ?? own)).toEqual({ ...shape(own), order_id: orderId + 64 });
    expect(shape(await ask('no-order', 'ada@example.com'))).toEqual({ ...shape(own), order_id: null });
    deps.nowUnix += 60;
    expect(await ask(orderId, 'ada@example.com')).toEqual(own);
    expect(await events()).toEqual(['order.withdrawal_requested']);
    expect((await list()).body.data).toHaveLength(1);
    const { body } = await retrieve(own.body.withdrawal_id);
    expect(await confirm(own.body.withdrawal_id, 'gl_confirm_wrong')).toMatchObject({ status: 404 });
    expect(await confirm(own.body.withdrawal_id, undefined)).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_missing', param: 'confirm_token' } },
    });
    const confirmed = await confirm(own.body.withdrawal_id, body.confirm_token);
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'accepted', received_at: deps.nowUnix - 60 } });
    expect(await confirm(own.body.withdrawal_id, body.confirm_token)).toEqual(confirmed);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is in time by its first request, however late it is confirmed', async () => {
    const { deps, orderId, ask, confirm, retrieve } = await givenBought();
    const bought = deps.nowUnix;
    deps.nowUnix += 13 * daySeconds;
    const first = deps.nowUnix;
    const { body } = await ask(orderId, 'ada@example.com');
    const { confirm_token } = (await retrieve(body.withdrawal_id)).body;
    deps.nowUnix += daySeconds;
    expect(await confirm(body.withdrawal_id, confirm_token)).toMatchObject({
      status: 409,
      body: { error: { code: 'confirm_token_expired' } },
    });
    deps.nowUnix = bought + 20 * daySeconds;
    await expire(deps);
    const again = await ask(orderId, 'ada@example.com');
    expect(again.body.withdrawal_id).not.toBe(body.withdrawal_id);
    const mail = (await retrieve(again.body.withdrawal_id)).body;
    expect((await confirm(again.body.withdrawal_id, mail.confirm_token)).body).toMatchObject({
      status: 'accepted',
      received_at: first,
    });
  });

  it('from other members of the order is another request, with its own time', async () => {
    const deps = await givenWithdrawingClub(table);
    const type = await givenType(table, deps.orgId, { withdrawalDays: 14 });
    const orderId = await givenMembershipBasket(deps, type, [person('Ada')]);
    await addType(deps, orderId, type, [person('Byron')]);
    const sold = await checkOutWith(deps, orderId);
    const ids = sold.outcome === 'confirmed' ? sold.placed.memberships.map(({ memberId }) => memberId) : [];
    const { ask, confirm, retrieve } = await withdrawalsOf(deps);
    const confirmAsked = async ({ body }: Awaited<ReturnType<typeof ask>>) => {
      const { confirm_token } = (await retrieve(body.withdrawal_id)).body;
      return (await confirm(body.withdrawal_id, confirm_token)).body;
    };
    deps.nowUnix += 13 * daySeconds;
    const first = await ask(orderId, 'ada@example.com', { memberIds: ids.slice(0, 1) });
    deps.nowUnix += 60;
    const second = await ask(orderId, 'ada@example.com', { memberIds: ids.slice(1) });
    expect(await confirmAsked(second)).toMatchObject({
      status: 'accepted',
      membership_member_ids: ids.slice(1),
      received_at: deps.nowUnix,
    });
    await executeRefunds(deps, orderId);
    deps.nowUnix += 3 * daySeconds;
    // Of all only Ada is left, who was named in time.
    const all = await ask(orderId, 'ada@example.com');
    expect(await confirmAsked(all)).toMatchObject({
      status: 'accepted',
      received_at: deps.nowUnix - 3 * daySeconds - 60,
    });
    expect(all.body.withdrawal_id).not.toBe(first.body.withdrawal_id);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('leaves an order one request for each way to name its memberships, however many days strangers repeat it', async () => {
    const { deps, order, ids, ask, list, events } = await givenBoughtIn(table, { persons: 4 }, { holders: family });
    const members = [{}, ...[ids, ids.slice(0, 1), ids.slice(2)].map((memberIds) => ({ memberIds }))];
    const ways = [order.orderId, order.orderUuid].flatMap((id) => members.map((named) => ({ id, named })));
    for (let day = 0; day < 3; day += 1) {
      for (const { id, named } of ways) await ask(id, 'ada@example.com', named);
      await ask(order.orderId, `eve${day}@example.com`);
      deps.nowUnix += daySeconds;
      await expire(deps);
    }
    const { data } = (await list()).body;
    expect(data).toHaveLength(ways.length);
    // The address is written to once a day, and what is kept is of the first.
    expect(await events()).toHaveLength(3);
    const firsts = Array.isArray(data) ? data.map(({ received_at }) => received_at) : [];
    expect(Math.min(...firsts)).toBe(deps.nowUnix - 3 * daySeconds);
    const left = (await withdrawalRows(deps)).filter(({ pk }) => /#(asked|told)#/.test(pk));
    expect(left).toEqual([]);
  });

  it('needs an address, and no address of a buyer who is signed in', async () => {
    const { deps, order, orderId, ask, list, signIn } = await givenBought();
    expect(await ask(orderId)).toMatchObject({ status: 400, body: { error: { param: 'email' } } });
    const stranger = await buyMembership(deps, await givenType(table, deps.orgId, {}, 'other'), [], {
      buyer: { emailAddress: 'eve@example.com', firstName: 'Eve', lastName: 'E' },
    });
    const asStranger = { headers: await signIn(stranger.order.userId) };
    expect(await ask(orderId, undefined, asStranger)).toMatchObject({ status: 404 });
    expect(await ask(orderId, 'eve@example.com', asStranger)).toMatchObject({
      status: 202,
      body: { status: 'unconfirmed', used: null, amount: null },
    });
    expect((await list()).body.data).toEqual([]);
    expect(await ask(orderId, undefined, { headers: await signIn(order.userId) })).toMatchObject({
      status: 202,
      body: { status: 'accepted' },
    });
  });
});

it('a withdrawal of another organisation is a missing one', async () => {
  const own = await givenBought();
  await enter(own.deps, own.memberId, own.deps.nowUnix + 1);
  const { body } = await own.request(own.orderId);
  const stranger = await givenBought();
  expect(await stranger.request(own.orderId)).toMatchObject({ status: 404 });
  expect(await stranger.retrieve(body.withdrawal_id)).toMatchObject({ status: 404 });
  expect(await stranger.decide(body.withdrawal_id, { decision: 'accept' })).toMatchObject({ status: 404 });
  expect(await stranger.confirm(body.withdrawal_id, 'gl_confirm_x')).toMatchObject({ status: 404 });
  expect((await stranger.list()).body.data).toEqual([]);
});
