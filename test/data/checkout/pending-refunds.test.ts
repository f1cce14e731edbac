import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { noonUnix } from '../../support/baskets.ts';
import { givenPaidOrder, type PaidOrder } from '../../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let run: LocalRun;
let admin: Admin;
beforeAll(async () => {
  ({ table } = await createTestTable());
  run = givenLocalRun(table);
  admin = adminTool({ localFile: run.file, nowMs: () => (noonUnix + 1) * 1000 });
});
afterAll(() => run.remove());

/** Paid with a provider that the CLI cannot call: only the sweeper can. */
async function givenOrderPaidWithOtherProvider(orgId: string): Promise<PaidOrder> {
  const paid = await givenPaidOrder(table, orgId);
  await changeBasket(table, {
    orgId,
    basketId: paid.orderId,
    decide: (basket) => ({
      outcome: 'changed',
      basket: { ...basket, payment: basket.payment && { ...basket.payment, provider: 'elsewhere' } },
    }),
  });
  return paid;
}

describe('refund while another refund of the order is pending', () => {
  it('a pending refund takes its tickets, and another one may wait beside it for the rest', async () => {
    const { deps, orderId, ticketIds } = await givenOrderPaidWithOtherProvider('org_pending');
    const [first = 0, second = 0, third = 0] = ticketIds;
    const refund = async (...ids: readonly number[]) => {
      const only = ids.length === 0 ? [] : ['--tickets', ids.join(',')];
      const response = await admin(
        'order',
        'refund',
        'org_pending',
        String(orderId),
        ...only,
        '--yes',
        '--local',
        '--json',
      );
      const { exitCode, stdout, stderr } = response;
      return { exitCode, ...JSON.parse(exitCode === 0 ? stdout : stderr) };
    };
    const written = async () => (await readBasket(table, 'org_pending', orderId))?.refunds.map((one) => one.ticketIds);

    expect(await refund(first, second)).toMatchObject({ exitCode: 0, outcome: 'pending' });
    expect(await refund(second)).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    expect(await refund(second, third)).toMatchObject({
      exitCode: 1,
      error: { code: 'ticket_already_refunded', message: expect.stringContaining('Nothing changed') },
    });
    expect(await written()).toEqual([[first, second]]);
    expect(await refund()).toMatchObject({ exitCode: 0, outcome: 'pending' });
    expect(await written()).toEqual([[first, second], [third]]);
    expect(await refund()).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await refund(first)).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    expect(await written()).toEqual([[first, second], [third]]);
  });
});
