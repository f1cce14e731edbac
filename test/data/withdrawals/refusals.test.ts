import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenType } from '../../support/memberships.ts';
import { daySeconds } from '../../support/renewals.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { buyWithdrawable, enter, givenBought, givenWithdrawingClub } from '../../support/withdrawals.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

/** What the table has, without counts of requests and their log, by key. */
async function rowsNow(): Promise<ReadonlyMap<string, string>> {
  const rows = [...(await everyRow(table))].filter(([key]) => !/^(AUTH|CNT|PUB|REQ|RQL|HOLD)/.test(key));
  return new Map(rows.map(([key, row]) => [key, JSON.stringify(row)]));
}

type Held = Awaited<ReturnType<typeof givenBought>>;
type Answer = ReturnType<Held['request']>;

const bought = () => givenBought(table);

/** A withdrawal that waits for the staff. */
async function waiting() {
  const held = await bought();
  await enter(held.deps, held.memberId, held.deps.nowUnix + 1);
  return { ...held, id: (await held.request(held.orderId)).body.withdrawal_id };
}

/** One that the owner of the address has to confirm. */
async function asked() {
  const held = await bought();
  const id = (await held.ask(held.orderId, 'ada@example.com')).body.withdrawal_id;
  return { ...held, id, token: (await held.retrieve(id)).body.confirm_token };
}

const accept = { decision: 'accept' };
const refusals: readonly (readonly [string, number, string, () => Promise<() => Answer>])[] = [
  [
    'an order that does not exist',
    404,
    'resource_not_found',
    async () => {
      const { request, orderId } = await bought();
      return () => request(orderId + 64);
    },
  ],
  [
    'a member who is not in the order',
    400,
    'resource_missing',
    async () => {
      const { request, orderId, memberId } = await bought();
      return () => request(orderId, { membership_member_ids: [memberId + 1] });
    },
  ],
  [
    'a membership without a right of withdrawal',
    409,
    'withdrawal_not_offered',
    async () => {
      const deps = await givenWithdrawingClub(table);
      const { request, orderId } = await buyWithdrawable(deps, await givenType(table, deps.orgId));
      return () => request(orderId);
    },
  ],
  [
    'a membership whose withdrawal waits',
    409,
    'withdrawal_open',
    async () => {
      const { request, orderId } = await waiting();
      return () => request(orderId);
    },
  ],
  [
    'an unknown withdrawal that is confirmed',
    404,
    'resource_not_found',
    async () => {
      const { confirm, token } = await asked();
      return () => confirm('wdr_unknown', token);
    },
  ],
  [
    'an unknown withdrawal that is decided',
    404,
    'resource_not_found',
    async () => {
      const { decide } = await waiting();
      return () => decide('wdr_unknown', accept);
    },
  ],
  [
    'no confirm_token on a page',
    400,
    'parameter_missing',
    async () => {
      const { confirm, id } = await asked();
      return () => confirm(id);
    },
  ],
  [
    'the confirm_token of another withdrawal',
    404,
    'resource_not_found',
    async () => {
      const { confirm, id } = await asked();
      const { token } = await asked();
      return () => confirm(id, token);
    },
  ],
  [
    'an expired confirm_token',
    409,
    'confirm_token_expired',
    async () => {
      const { confirm, id, token, deps } = await asked();
      deps.nowUnix += daySeconds;
      return () => confirm(id, token);
    },
  ],
  [
    'a second decision after a refusal',
    409,
    'withdrawal_decided',
    async () => {
      const { decide, id } = await waiting();
      await decide(id, { decision: 'refuse', reason: 'Used' });
      return () => decide(id, accept);
    },
  ],
  [
    'a second decision after an acceptance',
    409,
    'withdrawal_decided',
    async () => {
      const { decide, id } = await waiting();
      await decide(id, accept);
      return () => decide(id, { decision: 'refuse', reason: 'Used' });
    },
  ],
  [
    'a decision that keeps more than was paid',
    400,
    'parameter_invalid',
    async () => {
      const { decide, id } = await waiting();
      return () => decide(id, { ...accept, keep: 1_000 });
    },
  ],
];

describe('a withdrawal', () => {
  it.each(refusals)('is refused for %s, and nothing is written', async (_what, status, code, given) => {
    const act = await given();
    const before = await rowsNow();
    expect(await act()).toMatchObject({ status, body: { error: { code } } });
    const after = await rowsNow();
    expect([...after].filter(([key, row]) => row !== before.get(key))).toEqual([]);
    expect(after.size).toBe(before.size);
  });
});
