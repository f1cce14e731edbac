import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, newCheckoutDeps, paidCharges } from '../../support/baskets.ts';
import { CrashPoint, crashingProvider, crashingTable } from '../../support/faults/crashing-deps.ts';
import { buyMembership, givenRenewalBasket, givenType, renewMember } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

interface Crash {
  readonly at: number;
  readonly when: 'before' | 'after';
  /** Whether another basket renews the member first, so this renewal is refunded. */
  readonly isSecond: boolean;
  /** Whether the type changes instead. */
  readonly isReplacing?: boolean;
}

/** Renews a member in a process that crashes at a call, and sweeps. Returns whether it crashed. */
async function runRenewalCrash({ at, when, isSecond, isReplacing = false }: Crash): Promise<boolean> {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  await givenOrganisation(table, orgId);
  // It costs more, so that a change of type is charged too.
  const next = await givenType(table, orgId, { priceThousandths: 300_000 }, 'next');
  const { memberships } = await buyMembership(deps, await givenType(table, orgId, { renewsAsTypeId: next.typeId }));
  const memberId = memberships[0]?.memberId ?? 0;
  const before = await readMember(table, orgId, memberId);
  const basketId = await givenRenewalBasket(deps, memberId, isReplacing ? next : undefined);
  const crashPoint = new CrashPoint(at, when);
  const provider = crashingProvider(sandboxProvider(table), crashPoint);
  const other = isSecond ? await givenRenewalBasket(deps, memberId, isReplacing ? next : undefined) : undefined;
  let isOvertaken = other === undefined;
  // Between the payment and the order, another basket is first.
  const overtaken = {
    ...provider,
    confirm: async (...asked: Parameters<typeof provider.confirm>) => {
      if (!isOvertaken && other !== undefined) {
        isOvertaken = true;
        await checkOutWith(deps, other);
      }
      return provider.confirm(...asked);
    },
  };
  const payments = { ...deps.payments, current: async () => overtaken, byName: async () => overtaken };
  const crashing = { ...deps, table: crashingTable(table, crashPoint), payments };
  const answered = await crashPoint.resultOf(checkOutWith(crashing, basketId));
  deps.nowUnix += 3_600;
  await sweepBaskets(deps);
  await sweepBaskets(deps);

  const member = await readMember(table, orgId, memberId);
  const terms = await termsOfMember(table, orgId, memberId);
  const kept = (await paidCharges(deps)).filter(({ refundedMinor }) => refundedMinor === 0);
  // One charge for each term: nobody pays without a term, and nobody has a term without paying.
  expect(kept, JSON.stringify({ at, when, isSecond })).toHaveLength(terms.length);
  expect(terms.length).toBeLessThanOrEqual(2);
  expect(member?.expiresUnix).toBe(terms.at(-1)?.untilUnix);
  expect(member).toMatchObject({ memberNumber: before?.memberNumber, barcode: before?.barcode, statusId: 1 });
  expect(await findingsOf(table, orgId)).toEqual([]);
  // Nothing is left that keeps the member from being renewed.
  await renewMember(deps, memberId);
  expect(await findingsOf(table, orgId)).toEqual([]);
  return answered === undefined;
}

describe('a renewal that crashes', () => {
  it.each(crashMoments.flatMap((when) => [[false, when] as const, [true, when] as const]))(
    'at any call is paid for once and gives one term, overtaken by another: %s, %s the call',
    async (isSecond, when) => {
      for (const at of crashPoints()) {
        if (await runRenewalCrash({ at, when, isSecond })) continue;
        expect(at).toBeGreaterThan(8);
        break;
      }
    },
  );

  it.each(crashMoments)('and changes the type is paid for once too, %s the call', async (when) => {
    for (const at of crashPoints()) {
      if (await runRenewalCrash({ at, when, isSecond: at % 2 === 0, isReplacing: true })) continue;
      expect(at).toBeGreaterThan(8);
      break;
    }
  });
});
