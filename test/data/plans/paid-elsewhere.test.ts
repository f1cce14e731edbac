import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle } from '../../../functions/api/members/pay-instalment.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { receivedKinds } from '../../../shared/domain/orders/tender.ts';
import { payInstalment } from '../../../shared/operations/members/pay-instalment.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { buyInInstalments, givenInstalmentType, planOf } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenShare() {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
  const params = { membership_member_id: String(memberId) };
  const pay = (body: object) =>
    callHandler(payInstalment, handle, { params, body: { ...body } }, { table, orgId, nowMs: deps.nowUnix * 1000 + 1 });
  return { deps, planId, pay };
}

const accounts = { cash: 'cash', terminal: 'terminal', bank_transfer: 'bank', other: 'other' } as const;

describe('an instalment that was paid elsewhere', () => {
  it.each(receivedKinds)('is entered as %s, with who took it where', async (kind) => {
    const { deps, planId, pay } = await givenShare();
    const handled = { reference: 'R-9', station: 'till 1', operator: '7' };
    expect(await pay({ paid_elsewhere: true, kind, ...handled })).toMatchObject({ payment: null });
    const { orderId, instalments } = await planOf(deps, planId);
    const amountMinor = instalments[1]?.amountMinor ?? 0;
    const entries = await entriesOfOrder(table, deps.orgId, orderId);
    expect(entries.find((entry) => entry.tender !== undefined)).toMatchObject({
      kind: 'instalment',
      money: { [accounts[kind]]: amountMinor, receivable: -amountMinor },
      tender: { kind, ...handled },
    });
    expect(await findingsOf(table, deps.orgId, deps.nowUnix)).toEqual([]);
  });

  it.each([{ kind: 'cash' }, { station: 'till 1' }, { operator: '7' }, { reference: 'R-9' }])(
    'is the only one that says how it was received: %o',
    async (said) => {
      const { pay } = await givenShare();
      await expect(pay({ payment_method: 'pm_card_visa', ...said })).rejects.toMatchObject({ status: 400 });
    },
  );
});
