import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../../shared/data/members/read.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { webhookEvents } from '../../../shared/operations/schemas/webhook-event.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { cancel, cancelledEvents, family, statuses } from '../../support/cancelled-members.ts';
import { buyMembership, givenClub, givenType, renewMember } from '../../support/memberships.ts';
import { buyInInstalments, givenInstalmentType, statusesOf, sweepWhenDue } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('cancel-member at the end', () => {
  it('leaves status and term of a whole family, switches the renewal off, and is announced once', async () => {
    const deps = await givenClub(table);
    const { memberships } = await buyMembership(deps, await givenType(table, deps.orgId, { persons: 4 }), family);
    const ids = memberships.map(({ memberId }) => memberId);
    const answer = await cancel(deps, ids[2] ?? 0, { when: 'end' });
    expect(new Set(answer.membership_member_ids as number[])).toEqual(new Set(ids));
    expect(answer).toMatchObject({ when: 'end', ends_at: memberships[0]?.expiresUnix, refund: null });
    expect(await cancel(deps, ids[0] ?? 0, { when: 'end' })).toMatchObject({ ends_at: memberships[0]?.expiresUnix });
    const member = await readMember(table, deps.orgId, ids[0] ?? 0);
    expect(member).toMatchObject({ statusId: 1, autoRenew: false, cancelledUnix: deps.nowUnix });
    const events = await cancelledEvents(deps);
    for (const event of events) v.parse(webhookEvents['membership.cancelled'], event);
    expect(events.map(({ data }) => [data.when, data.ends_at, data.term.state])).toEqual(
      ids.map(() => ['end', memberships[0]?.expiresUnix, 'active']),
    );
    // Who renews is a member again.
    await renewMember(deps, ids[0] ?? 0);
    expect(await readMember(table, deps.orgId, ids[1] ?? 0)).toMatchObject({ statusId: 1, cancelledUnix: null });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('keeps what is owed, and has no refund', async () => {
    const deps = newCheckoutDeps(table);
    const { memberId, planId } = await buyInInstalments(deps, await givenInstalmentType(deps));
    await expect(cancel(deps, memberId, { when: 'end', refund: 'unused' })).rejects.toMatchObject({
      details: [{ param: 'refund' }],
    });
    await cancel(deps, memberId, { when: 'end' });
    expect(statusesOf(await sweepWhenDue(deps, planId, 2)).slice(0, 3)).toEqual(['paid', 'paid', 'planned']);
  });

  it('is all that a fan can do, and only with an own membership', async () => {
    const deps = await givenClub(table);
    const { order, memberships } = await buyMembership(deps, await givenType(table, deps.orgId));
    const memberId = memberships[0]?.memberId ?? 0;
    const login = new IdentityProvider('https://login.example.com');
    await saveProvider(table, deps.orgId, login.asProvider());
    for (const [subject, userId] of [['ada', order.userId ?? 0] as const, ['eve', 9] as const]) {
      await saveLink(table, deps.orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
    }
    const page = (subject: string) =>
      ({ kind: 'storefront', ssoToken: login.token(subject), nowMs: Date.now() }) as const;
    await expect(cancel(deps, memberId, { when: 'now' }, page('ada'))).rejects.toMatchObject({
      details: [{ param: 'when' }],
    });
    await expect(cancel(deps, memberId, { when: 'end' }, page('eve'))).rejects.toMatchObject({ status: 404 });
    expect(await statuses(deps, [memberId])).toEqual([1]);
    expect(await cancel(deps, memberId, { when: 'end' }, page('ada'))).toMatchObject({ when: 'end' });
  });
});
