import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { findingsOf } from '../../support/audit.ts';
import { addItem, chargesOf, checkOutWith, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { family, statuses } from '../../support/cancelled-members.ts';
import { sellAtCounter } from '../../support/counter.ts';
import { addType, buyMembership, givenMembershipBasket, givenType, person } from '../../support/memberships.ts';
import { buyInInstalments, givenTypeInInstalments, planOf, statusesOf, sweepWhenDue } from '../../support/plans.ts';
import { announceTwice, daySeconds, memberOf, renewAt, switchOn } from '../../support/renewals.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import {
  buyWithdrawable,
  enter,
  givenBought as givenBoughtIn,
  givenWithdrawingClub,
  type HowBought,
  withdrawalsOf,
} from '../../support/withdrawals.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const givenBought = (...how: HowBought) => givenBoughtIn(table, ...how);

describe('a withdrawal in time from a membership that was not used', () => {
  it('is accepted at once: access ends, everything is returned, and events say so', async () => {
    const { deps, orderId, ids, memberId, request, retrieve, settle, events } = await givenBought();
    const { status, body } = await request(orderId);
    expect({ status, body }).toMatchObject({
      status: 202,
      body: {
        order_id: orderId,
        membership_member_ids: ids,
        status: 'accepted',
        received_at: deps.nowUnix,
        used: false,
        amount: 240.5,
        refund_id: `${orderId}-1`,
        reason: null,
      },
    });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 3 });
    expect((await retrieve(body.withdrawal_id)).body).toMatchObject({ refund_status: 'pending', confirm_token: null });
    await settle(orderId);
    expect((await retrieve(body.withdrawal_id)).body).toMatchObject({ refund_status: 'succeeded' });
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 24_050 }]);
    expect(await events()).toEqual(['order.withdrawal_received', 'order.withdrawal_decided']);
    expect(await request(orderId)).toMatchObject({ status: 409, body: { error: { code: 'withdrawal_not_offered' } } });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('ends at midnight in the time zone of the organisation, also when its clocks change', async () => {
    // Melbourne ends summer time on 5 April 2026: 21 March and 14 days end with 4 April, in summer time still; 22 March in winter time.
    const midnight = async (boughtUnix: number) => {
      const deps = await givenWithdrawingClub(table);
      deps.nowUnix = boughtUnix;
      const { request, orderId } = await buyWithdrawable(
        deps,
        await givenType(table, deps.orgId, { withdrawalDays: 14 }),
      );
      deps.nowUnix = boughtUnix + 15 * daySeconds - 1;
      const { body } = await request(orderId);
      return [body.period_ends_at, body.status];
    };
    const at = (text: string) => Date.parse(text) / 1000;
    expect(await midnight(at('2026-03-21T00:00:00+11:00'))).toEqual([at('2026-04-05T00:00:00+11:00'), 'accepted']);
    expect(await midnight(at('2026-03-22T00:00:00+11:00'))).toEqual([at('2026-04-06T00:00:00+10:00'), 'accepted']);
    expect(await midnight(at('2026-03-22T23:30:00+11:00'))).toEqual([at('2026-04-06T00:00:00+10:00'), 'received']);
  });

  it('of a family of four ends it for all of them, whoever of them is named', async () => {
    const { deps, orderId, ids, request, settle } = await givenBought({ persons: 4 }, { holders: family });
    const { body } = await request(orderId, { membership_member_ids: [ids[2]] });
    expect(body).toMatchObject({ status: 'accepted', membership_member_ids: ids, amount: 240.5 });
    await settle(orderId);
    expect(await statuses(deps, ids)).toEqual([3, 3, 3, 3]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('ends what is not paid of instalments, and returns what is', async () => {
    const deps = await givenWithdrawingClub(table);
    const type = await givenTypeInInstalments(deps, { withdrawalDays: 60 });
    const { order, planId, memberId } = await buyInInstalments(deps, type);
    await sweepWhenDue(deps, planId, 2);
    const { request, settle } = await withdrawalsOf(deps);
    const { body } = await request(order.orderId);
    expect(body).toMatchObject({ status: 'accepted' });
    await settle(order.orderId);
    const paid = (await chargesOf(deps)).map(({ amountMinor, refundedMinor }) => amountMinor - refundedMinor);
    expect(paid).toEqual([0, 0]);
    expect(statusesOf(await planOf(deps, planId)).filter((status) => status === 'planned')).toEqual([]);
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 3 });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of what was paid in cash ends access, and leaves a refund to hand over', async () => {
    const deps = await givenWithdrawingClub(table);
    const type = await givenType(table, deps.orgId, { withdrawalDays: 14 });
    const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
    await addType(deps, basketId, type, [person('Ada')]);
    await sellAtCounter(deps, basketId);
    const { request, retrieve } = await withdrawalsOf(deps);
    const { body } = await request(basketId);
    expect(body).toMatchObject({ status: 'accepted', amount: 240.5 });
    expect((await retrieve(body.withdrawal_id)).body).toMatchObject({ refund_status: 'pending' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('stays accepted, and says so, when the payment provider refuses the refund', async () => {
    const { deps, orderId, memberId, request, retrieve, settle } = await givenBought(
      {},
      { paymentMethod: 'pm_card_refundFail' },
    );
    const { body } = await request(orderId);
    await settle(orderId);
    expect((await retrieve(body.withdrawal_id)).body).toMatchObject({ status: 'accepted', refund_status: 'failed' });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 1, pendingRefund: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of two lines of one order returns both in one refund', async () => {
    const deps = await givenWithdrawingClub(table);
    const type = await givenType(table, deps.orgId, { withdrawalDays: 14 });
    const other = await givenType(table, deps.orgId, { withdrawalDays: 0 }, 'gift');
    const basketId = await givenMembershipBasket(deps, type, [person('Ada')]);
    await addType(deps, basketId, type, [person('Byron')]);
    await addType(deps, basketId, other, [person('Anne')]);
    await checkOutWith(deps, basketId);
    const { request, settle } = await withdrawalsOf(deps);
    expect((await request(basketId)).body).toMatchObject({
      status: 'accepted',
      amount: 481,
      refund_id: `${basketId}-1`,
    });
    await settle(basketId);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});

describe('an automatic renewal', () => {
  it('for twelve months opens the period again, and its withdrawal returns the renewal alone', async () => {
    const { deps, memberId, order } = await givenBought({ termMonths: 12 });
    await switchOn(deps, memberId, 'pm_card_visa');
    const expiresUnix = (await memberOf(deps, memberId)).expiresUnix;
    await renewAt(deps, await announceTwice(deps, memberId));
    const renewed = await memberOf(deps, memberId);
    expect(renewed.orderId).not.toBe(String(order.orderId));
    const { request, settle } = await withdrawalsOf(deps);
    expect((await request(order.orderId)).body).toMatchObject({ status: 'received' });
    expect((await request(renewed.orderId)).body).toMatchObject({ status: 'accepted', amount: 240.5 });
    await settle(Number(renewed.orderId));
    expect(await memberOf(deps, memberId)).toMatchObject({ statusId: 1, expiresUnix, autoRenew: false });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('for one month opens none', async () => {
    const { deps, memberId } = await givenBought({ termMonths: 1 });
    await switchOn(deps, memberId, 'pm_card_visa');
    await renewAt(deps, await announceTwice(deps, memberId));
    const { request } = await withdrawalsOf(deps);
    const { orderId } = await memberOf(deps, memberId);
    // Who asks for a ticket by mistake hears what ends a ticket.
    const message = expect.stringContaining('a ticket with cancel-own-ticket');
    expect(await request(orderId)).toMatchObject({ body: { error: { code: 'withdrawal_not_offered', message } } });
  });
});

describe('a withdrawal that waits for the staff', () => {
  it('is one of a membership that was used to enter, and keeps the only open one until it is refused', async () => {
    const { deps, orderId, memberId, request, decide, list, events } = await givenBought();
    await enter(deps, memberId, deps.nowUnix + 1);
    const { body } = await request(orderId);
    expect(body).toMatchObject({ status: 'received', used: true, amount: null, refund_id: null });
    expect(await request(orderId)).toMatchObject({ status: 409, body: { error: { code: 'withdrawal_open' } } });
    expect((await list({ status: 'received' })).body).toMatchObject({ data: [{ withdrawal_id: body.withdrawal_id }] });
    // The feed sorts by the time.
    deps.nowUnix += 1;
    const refused = await decide(body.withdrawal_id, { decision: 'refuse', reason: 'You were at the match.' });
    expect(refused).toMatchObject({ status: 200, body: { status: 'refused', reason: 'You were at the match.' } });
    expect(await decide(body.withdrawal_id, { decision: 'accept' })).toMatchObject({
      status: 409,
      body: { error: { code: 'withdrawal_decided' } },
    });
    expect(await readMember(table, deps.orgId, memberId)).toMatchObject({ statusId: 1 });
    deps.nowUnix += 1;
    expect((await request(orderId)).body).toMatchObject({ status: 'received' });
    expect(await events()).toEqual([
      'order.withdrawal_received',
      'order.withdrawal_decided',
      'order.withdrawal_received',
    ]);
    expect((await list({ order_id: String(orderId) })).body.data).toHaveLength(2);
  });

  it('is one of a membership with which a price for members was bought, in the same basket or later', async () => {
    const deps = await givenWithdrawingClub(table);
    const type = await givenType(table, deps.orgId, { withdrawalDays: 14 });
    const { price } = await givenOnSale(table, deps.orgId);
    const forMembers = { eventId: price.eventId, categoryId: price.categoryId, membershipTypeId: type.typeId };
    const cheap = await givenPrice(table, deps.orgId, { ...forMembers, code: 'member' });
    const together = await givenMembershipBasket(deps, type);
    await addItem(deps, together, cheap, 1);
    await checkOutWith(deps, together);
    const { request } = await withdrawalsOf(deps);
    expect((await request(together)).body).toMatchObject({ status: 'received', used: true });
    const { memberships, order } = await buyMembership(deps, type, [person('Byron')]);
    const later = await givenBasket(deps, cheap);
    const bought = await checkOutWith(deps, later.basketId, { membershipMemberId: memberships[0]?.memberId ?? 0 });
    expect(bought).toMatchObject({ outcome: 'confirmed' });
    expect((await request(order.orderId)).body).toMatchObject({ status: 'received', used: true });
  });

  it('is accepted by the staff with what they keep', async () => {
    const { deps, orderId, memberId, request, decide, settle } = await givenBought();
    await enter(deps, memberId, deps.nowUnix + 1);
    const { body } = await request(orderId);
    expect(await decide(body.withdrawal_id, { decision: 'accept', keep: 1000 })).toMatchObject({
      status: 400,
      body: { error: { param: 'keep' } },
    });
    expect(await decide(body.withdrawal_id, { decision: 'accept', keep: 40.5 })).toMatchObject({
      body: { status: 'accepted', amount: 200, refund_id: `${orderId}-1` },
    });
    await settle(orderId);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 20_000 }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is one that comes too late', async () => {
    const { deps, orderId, request } = await givenBought();
    deps.nowUnix += 15 * daySeconds;
    expect((await request(orderId)).body).toMatchObject({ status: 'received', used: false });
  });

  it('is not decided without what a decision needs, and nothing is written', async () => {
    const { deps, orderId, memberId, request, decide, retrieve } = await givenBought();
    await enter(deps, memberId, deps.nowUnix + 1);
    const { body } = await request(orderId);
    for (const [sent, param] of [
      [{ decision: 'refuse' }, 'reason'],
      [{ decision: 'refuse', reason: 'No', keep: 1 }, 'keep'],
      [{ decision: 'accept', reason: 'Yes' }, 'reason'],
    ] as const) {
      expect(await decide(body.withdrawal_id, sent)).toMatchObject({ status: 400, body: { error: { param } } });
    }
    expect(await decide('wdr_unknown', { decision: 'accept' })).toMatchObject({ status: 404 });
    expect((await retrieve(body.withdrawal_id)).body).toMatchObject({ status: 'received' });
  });
});
