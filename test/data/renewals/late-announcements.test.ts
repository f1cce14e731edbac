import { beforeAll, describe, expect, it } from 'vitest';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { isCurrentAt } from '../../../shared/domain/members/end.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenConfig } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps, type TestCheckoutDeps } from '../../support/baskets.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import {
  announcements,
  daySeconds,
  givenRenewing,
  keptMinor,
  memberOf,
  renewAt,
  renewalOf,
  saveCard,
} from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const price = 24_050;

/** A membership whose renewal was announced 30 days before. */
async function givenAnnounced() {
  const deps = newCheckoutDeps(table);
  const given = await givenRenewing(deps);
  await renewAt(deps, given.expiresUnix - 30 * daySeconds);
  const dueUnix = (await renewalOf(deps, given.memberId)).round?.dueUnix ?? 0;
  return { deps, ...given, dueUnix };
}

const lapses = async (deps: TestCheckoutDeps) =>
  (await eventsOf(deps)).filter(({ type }: { type: string }) => type === 'membership.lapsed');

const cheaper = 200_000;
const dearer = 300_000;

describe('a repeated announcement that comes late because the worker stood still', () => {
  it.each([
    { amount: 'the same', thousandths: 240_500 },
    { amount: 'a lower', thousandths: cheaper },
  ])('moves nothing with $amount amount: it is charged on the announced day', async ({ thousandths }) => {
    const { deps, memberId, dueUnix, expiresUnix, type } = await givenAnnounced();
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: thousandths });
    await renewAt(deps, dueUnix - 2 * daySeconds);
    expect(await announcements(deps)).toMatchObject([{ due: dueUnix }, { due: dueUnix, amount: thousandths / 1_000 }]);
    await renewAt(deps, dueUnix);
    expect(await keptMinor(deps)).toBe(price + thousandths / 10);
    const terms = await termsOfMember(table, deps.orgId, memberId);
    expect(terms.at(-1)?.fromUnix).toBe(expiresUnix);
  });

  it('after the day itself is followed by the charge at once', async () => {
    const { deps, memberId, expiresUnix } = await givenAnnounced();
    await renewAt(deps, expiresUnix + 3_600);
    expect(await keptMinor(deps)).toBe(2 * price);
    expect((await memberOf(deps, memberId)).expiresUnix ?? 0).toBeGreaterThan(expiresUnix + 360 * daySeconds);
  });

  it('with a higher amount moves the charge to seven days after it', async () => {
    const { deps, dueUnix, type } = await givenAnnounced();
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: dearer });
    const saidUnix = dueUnix - 2 * daySeconds;
    await renewAt(deps, saidUnix);
    expect((await announcements(deps)).at(-1)).toMatchObject({ due: saidUnix + 7 * daySeconds, amount: 300 });
    await renewAt(deps, dueUnix);
    expect(await keptMinor(deps)).toBe(price);
    await renewAt(deps, saidUnix + 7 * daySeconds);
    expect(await keptMinor(deps)).toBe(price + 30_000);
  });

  it('with a higher amount lets the membership go on until it is charged, and the next term adjoins', async () => {
    const { deps, memberId, dueUnix, type, expiresUnix } = await givenAnnounced();
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: dearer });
    const saidUnix = dueUnix - 2 * daySeconds;
    await renewAt(deps, saidUnix);
    const isCurrent = async (unix: number) => isCurrentAt(await memberOf(deps, memberId), unix);
    deps.nowUnix = expiresUnix + daySeconds;
    await sweepBaskets(deps);
    expect(await isCurrent(deps.nowUnix)).toBe(true);
    expect(await lapses(deps)).toEqual([]);
    await renewAt(deps, saidUnix + 7 * daySeconds);
    const terms = await termsOfMember(table, deps.orgId, memberId);
    expect(terms.at(-1)?.fromUnix).toBe(expiresUnix);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('with a higher amount that the card does not pay lets the membership lapse after that day; so does switching it off', async () => {
    const { deps, memberId, dueUnix, type, expiresUnix } = await givenAnnounced();
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: dearer });
    await renewAt(deps, dueUnix - 2 * daySeconds);
    const dayAfter = expiresUnix + daySeconds;
    await saveCard(deps, memberId, 'pm_card_chargeCustomerFail');
    await renewAt(deps, dueUnix + 5 * daySeconds);
    expect((await renewalOf(deps, memberId)).round?.status).toBe('failed');
    deps.nowUnix = dueUnix + 5 * daySeconds + 3_600;
    await sweepBaskets(deps);
    expect(await lapses(deps)).toHaveLength(1);
    expect(isCurrentAt(await memberOf(deps, memberId), deps.nowUnix)).toBe(false);
    expect(isCurrentAt(await memberOf(deps, memberId), dayAfter)).toBe(true);
    await setAutoRenew(deps, { memberId, consentText: null });
    expect(isCurrentAt(await memberOf(deps, memberId), dayAfter)).toBe(false);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('never lets more be charged than it said, though an earlier one said more', async () => {
    const { deps, dueUnix, type } = await givenAnnounced();
    await givenConfig(table, deps.orgId, { ...type, priceThousandths: cheaper });
    await renewAt(deps, dueUnix - 7 * daySeconds);
    await givenConfig(table, deps.orgId, type);
    await renewAt(deps, dueUnix);
    expect(await keptMinor(deps)).toBe(price);
    expect((await announcements(deps)).at(-1)).toMatchObject({ amount: 240.5, due: dueUnix + 7 * daySeconds });
  });
});

describe('set-auto-renew', () => {
  it('is refused where nothing can follow: the type has no successor and no term of so many months', async () => {
    const deps = newCheckoutDeps(table);
    const season = { termMonths: null, expiresUnix: deps.nowUnix + 200 * daySeconds };
    const type = await givenType(table, deps.orgId, season);
    const { memberships } = await buyMembership(deps, type);
    const memberId = memberships[0]?.memberId ?? 0;
    await saveCard(deps, memberId, 'pm_card_visa');
    expect(await setAutoRenew(deps, { memberId, consentText: 'Renew it.' })).toEqual({ outcome: 'not_renewable' });
    expect(await setAutoRenew(deps, { memberId, consentText: null })).toMatchObject({ outcome: 'set' });
    // With a type for the next season it is possible, also before that type is on sale.
    const next = {
      ...season,
      expiresUnix: season.expiresUnix + 365 * daySeconds,
      availableFromUnix: season.expiresUnix,
    };
    const { typeId } = await givenType(table, deps.orgId, next, 'next');
    await givenConfig(table, deps.orgId, { ...type, renewsAsTypeId: typeId });
    expect(await setAutoRenew(deps, { memberId, consentText: 'Renew it.' })).toMatchObject({ outcome: 'set' });
    // A type that loses its successor later is announced.
    await givenConfig(table, deps.orgId, type);
    await renewAt(deps, season.expiresUnix - 30 * daySeconds);
    expect((await announcements(deps)).at(-1)).toMatchObject({ status: 'not_offered', amount: null, due: null });
  });
});
