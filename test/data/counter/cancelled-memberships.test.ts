import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { findingsOf } from '../../support/audit.ts';
import type { TestCheckoutDeps } from '../../support/baskets.ts';
import { cancel, family, statuses } from '../../support/cancelled-members.ts';
import { cash, sellAtCounter } from '../../support/counter.ts';
import { addType, givenClub, givenType } from '../../support/memberships.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A family of four whose membership was paid in cash. */
async function givenFamily(tender = cash) {
  const deps = await givenClub(table);
  const type = await givenType(table, deps.orgId, { persons: 4 });
  const { basketId } = await openBasket(table, { ...deps, channel: 'counter' });
  await addType(deps, basketId, type, family);
  const sold = await sellAtCounter(deps, basketId, tender);
  if (sold.outcome !== 'confirmed') throw new Error(JSON.stringify(sold));
  const { order, memberships } = sold.placed;
  const ids = memberships.map(({ memberId }) => memberId);
  return { deps, orderId: order.orderId, ids, totalMinor: order.totalMinor };
}

const callsOf = ({ orgId }: TestCheckoutDeps, orderId: number) =>
  orderCalls(table, orgId, orderId, ['orders:write', 'counter']);
const moneyOf = async ({ orgId }: TestCheckoutDeps, orderId: number) =>
  (await entriesOfOrder(table, orgId, orderId)).map(({ kind, money }) => [kind, money.cash]);

describe('cancel-member of a membership that was paid at the counter', () => {
  it.each([
    { refund: 'all', name: 'everything' },
    { refund: 'unused', name: 'what is unused' },
  ] as const)('awaits somebody who hands over $name, and books it then, once', async ({ refund }) => {
    const { deps, orderId, ids, totalMinor } = await givenFamily();
    const answer = await cancel(deps, ids[1] ?? 0, { when: 'now', refund });
    expect(answer).toMatchObject({ refund: { status: 'pending', membership_member_ids: ids, returned_by: null } });
    expect(await statuses(deps, ids)).toEqual([3, 3, 3, 3]);
    expect(await moneyOf(deps, orderId)).toEqual([['sale', totalMinor]]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    const calls = callsOf(deps, orderId);
    // What is awaited is in no second refund.
    await expect(calls.refund({ returned_by: 'cash' })).rejects.toMatchObject({ code: 'ticket_already_refunded' });
    const returned = await calls.returned(1);
    expect(returned).toMatchObject({ status: 'succeeded', to_return: 0, returned_by: 'cash' });
    const [, entry] = await moneyOf(deps, orderId);
    expect(entry?.[0]).toBe('refund');
    const returnedMinor = 0 - Number(entry?.[1]);
    expect(returnedMinor).toBeGreaterThan(0);
    expect(returnedMinor).toBeLessThanOrEqual(totalMinor);
    if (refund === 'all') expect(returnedMinor).toBe(totalMinor);
    await expect(calls.returned(1)).rejects.toMatchObject({ code: 'refund_not_awaited' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('returns nothing of one that was complimentary', async () => {
    const { deps, ids } = await givenFamily({ ...cash, kind: 'complimentary', reason: 'Volunteers' });
    expect(await cancel(deps, ids[0] ?? 0, { when: 'now', refund: 'all' })).toMatchObject({ refund: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
