import { beforeAll, describe, expect, it } from 'vitest';
import { chargeDue } from '../../../shared/charges/charge-due.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PaymentProvider } from '../../../shared/payments/provider.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { buyInInstalments, givenInstalmentType, planOf } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the worker that charges for all organisations', () => {
  it('charges for the others while the provider of one hangs, and leaves what is due of that one', async () => {
    const club = newCheckoutDeps(table);
    const other = newCheckoutDeps(table);
    const type = await givenInstalmentType(club);
    const plans: number[] = [];
    for (let count = 0; count < 14; count += 1) plans.push((await buyInInstalments(club, type)).planId);
    const { planId } = await buyInInstalments(other, await givenInstalmentType(other));
    const dueUnix = (await planOf(other, planId)).instalments[1]?.dueUnix ?? 0;
    let asked = 0;
    const provider = await club.payments.current();
    const hanging: PaymentProvider = {
      ...provider,
      prepare(charge, signal) {
        if (charge.orgId !== club.orgId) return provider.prepare(charge, signal);
        asked += 1;
        return new Promise(() => {});
      },
    };
    const payments = { ...club.payments, current: async () => hanging, timeoutMs: 3_000 };
    await chargeDue({ table, clock: { nowMs: () => (dueUnix + 86_400) * 1000 }, payments });
    expect((await planOf(other, planId)).instalments[1]?.status).toBe('paid');
    expect(asked).toBeLessThan(plans.length);
    for (const each of plans) {
      expect(await planOf(club, each)).toMatchObject({
        charge: null,
        instalments: [{}, { status: 'planned' }, {}, {}, {}, {}],
      });
    }
  });
});
