import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { restMinor } from '../../../shared/domain/members/next-term.ts';
import { memberTermResource } from '../../../shared/mappers/member-term.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  checkOutWith,
  decideInSandbox,
  newCheckoutDeps,
  noonUnix,
  prepareWith,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { buyMembership, givenRenewalBasket, givenType, person, renewMember } from '../../support/memberships.ts';
import { keptMinor } from '../../support/renewals.ts';
import { givenPaidShares } from '../../support/returned-shares.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function givenClub() {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  const bronze = await givenType(table, deps.orgId, { priceThousandths: 100_000 });
  const gold = await givenType(table, deps.orgId, { priceThousandths: 300_000 }, 'gold');
  return { deps, bronze, gold };
}

async function buyOne(deps: TestCheckoutDeps, type: TypeRecord) {
  const { order, memberships } = await buyMembership(deps, type);
  return { orderId: order.orderId, memberId: memberships[0]?.memberId ?? 0 };
}

const day = 86_400;

describe('a change of type', () => {
  it('begins now, and what was paid for the rest of the old term is taken off its price', async () => {
    const { deps, bronze, gold } = await givenClub();
    const { orgId } = deps;
    const { memberId } = await buyOne(deps, bronze);
    const before = await readMember(table, orgId, memberId);
    deps.nowUnix += 100 * day;
    const [old] = await termsOfMember(table, orgId, memberId);
    const creditMinor = old === undefined ? 0 : restMinor(old, [], deps.nowUnix);
    expect(creditMinor).toBeGreaterThan(7_200);
    expect(creditMinor).toBeLessThan(7_300);
    const { order } = await renewMember(deps, memberId, gold);
    expect(order).toMatchObject({ totalMinor: 30_000 - creditMinor, discountMinor: creditMinor });
    await expectEntries(deps, order.orderId, ['sale']);
    const { memberNumber, barcode } = before ?? {};
    expect(await readMember(table, orgId, memberId)).toMatchObject({
      memberNumber,
      barcode,
      typeId: gold.typeId,
      orderId: String(order.orderId),
    });
    const terms = await termsOfMember(table, orgId, memberId);
    expect(terms.map((term) => memberTermResource(term, terms).state)).toEqual(['replaced', 'active']);
    expect(terms[1]).toMatchObject({ fromUnix: deps.nowUnix, replacesTermId: old?.termId });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('at once costs the difference, and a refund returns to the term before, which cannot be refunded meanwhile', async () => {
    const { deps, bronze, gold } = await givenClub();
    const { orgId } = deps;
    const { memberId, orderId } = await buyOne(deps, bronze);
    const before = await readMember(table, orgId, memberId);
    const { order } = await renewMember(deps, memberId, gold);
    expect(order.totalMinor).toBe(20_000);
    const refund = (id: number) => refundOrder(deps, { orderId: id, tickets: [], members: [memberId] });
    expect(await refund(orderId)).toEqual({ outcome: 'later_term', memberIds: [memberId] });
    expect(await refund(order.orderId)).toMatchObject({ refund: { amountMinor: 20_000 } });
    await sweepBaskets(deps);
    const { expiresUnix, typeId, orderId: lastOrder } = before ?? {};
    expect(await readMember(table, orgId, memberId)).toMatchObject({
      expiresUnix,
      typeId,
      orderId: lastOrder,
      statusId: 1,
    });
    expect(await findingsOf(table, orgId)).toEqual([]);
    expect(await refund(orderId)).toMatchObject({ refund: { amountMinor: 10_000 } });
    expect(await readMember(table, orgId, memberId)).toMatchObject({ statusId: 3 });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('to a cheaper type costs nothing, and what was paid counts again when it changes back', async () => {
    const { deps, bronze, gold } = await givenClub();
    const { memberId } = await buyOne(deps, gold);
    expect((await renewMember(deps, memberId, bronze)).order.totalMinor).toBe(0);
    expect((await renewMember(deps, memberId, gold)).order.totalMinor).toBe(0);
    const platinum = await givenType(table, deps.orgId, { priceThousandths: 500_000 }, 'platinum');
    const { memberId: other } = await buyOne(deps, bronze);
    expect((await renewMember(deps, other, gold)).order.totalMinor).toBe(20_000);
    expect((await renewMember(deps, other, platinum)).order.totalMinor).toBe(20_000);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('of a couple changes both; of an imported member takes nothing off', async () => {
    const { deps, bronze, gold } = await givenClub();
    const { orgId } = deps;
    const couple = await givenType(table, orgId, { persons: 2, priceThousandths: 100_000 }, 'couple');
    const better = await givenType(table, orgId, { persons: 2, priceThousandths: 160_000 }, 'better');
    const { memberships } = await buyMembership(deps, couple, [person('Ada'), person('Byron')]);
    const { order } = await renewMember(deps, memberships[0]?.memberId ?? 0, better);
    expect(order.totalMinor).toBe(6_000);
    for (const { memberId } of memberships) {
      expect(await readMember(table, orgId, memberId)).toMatchObject({ typeId: better.typeId });
    }
    const imported = aMember({ typeId: bronze.typeId, statusId: 1, expiresUnix: noonUnix + day });
    await givenMembers(table, orgId, [imported]);
    const changed = await renewMember(deps, imported.memberId, gold);
    expect(changed.order.totalMinor).toBe(30_000);
    await refundOrder(deps, { orderId: changed.order.orderId, tickets: 'all', members: 'all' });
    await sweepBaskets(deps);
    const { expiresUnix, typeId } = imported;
    expect(await readMember(table, orgId, imported.memberId)).toMatchObject({ expiresUnix, typeId, statusId: 1 });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('is refused with a later term, with open instalments, and to the same type', async () => {
    const { deps, bronze, gold } = await givenClub();
    const { memberId } = await buyOne(deps, bronze);
    await expect(givenRenewalBasket(deps, memberId, bronze)).rejects.toThrow('replaced_by_same_type');
    await renewMember(deps, memberId);
    await expect(givenRenewalBasket(deps, memberId, gold)).rejects.toThrow('replaced_term_has_later');
    const paying = aMember({ typeId: bronze.typeId, statusId: 2, expiresUnix: noonUnix + day });
    await givenMembers(table, deps.orgId, [paying]);
    await expect(givenRenewalBasket(deps, paying.memberId, gold)).rejects.toThrow('instalments_outstanding');
  });
});

describe('a change of type in a basket, while a refund returns a share of the old term and is refused then', () => {
  async function givenRefusedInTheMiddle() {
    const given = await givenPaidShares(table);
    const gold = await givenType(table, given.deps.orgId, { priceThousandths: 300_000 }, 'gold');
    return { ...given, gold };
  }

  it('is not paid: what was returned is not credited too, and once it is paid again it is', async () => {
    const { deps, memberId, gold, refund, payAgain } = await givenRefusedInTheMiddle();
    const basketId = await givenRenewalBasket(deps, memberId, gold);
    await refund();
    expect(await checkOutWith(deps, basketId)).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: false },
    });
    await expect(givenRenewalBasket(deps, memberId, gold)).rejects.toThrow('instalments_outstanding');
    await payAgain();
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('is returned if its payment had begun before', async () => {
    const { deps, memberId, gold, refund } = await givenRefusedInTheMiddle();
    const basketId = await givenRenewalBasket(deps, memberId, gold);
    expect(await prepareWith(deps, basketId)).toMatchObject({ outcome: 'prepared' });
    await refund();
    const before = await keptMinor(deps);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, { paymentMethod: null })).toMatchObject({
      refusal: { reason: 'renewal_outdated', isPaid: true },
    });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await keptMinor(deps)).toBe(before);
    expect(await termsOfMember(table, deps.orgId, memberId)).toMatchObject([{ state: 'active' }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });
});
