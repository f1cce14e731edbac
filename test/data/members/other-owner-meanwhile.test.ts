import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as cancel } from '../../../functions/api/members/cancel-member.ts';
import { handle as switchRenewal } from '../../../functions/api/members/set-auto-renew.ts';
import { handle as saveMethod } from '../../../functions/api/members/set-payment-method.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import { readRenewal } from '../../../shared/data/renewals/renewals.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { Problem } from '../../../shared/http/problem.ts';
import { cancelMember } from '../../../shared/operations/members/cancel-member.ts';
import { setAutoRenew } from '../../../shared/operations/members/set-auto-renew.ts';
import { setPaymentMethod } from '../../../shared/operations/members/set-payment-method.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler, type HandlerCall } from '../../support/call-handler.ts';
import { crashingTable, RacePoint } from '../../support/faults/crashing-deps.ts';
import { buyMembership, givenType } from '../../support/memberships.ts';
import { memberOf, switchOn } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

const login = new IdentityProvider('https://login.example.com');
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

interface Given {
  readonly params: { readonly membership_member_id: string };
  readonly call: HandlerCall;
}

const consent = { consent: true, consent_text: 'Renew it.' };

/** What a fan can change of a membership. */
const calls = {
  'set-payment-method': ({ params, call }: Given) =>
    callHandler(setPaymentMethod, saveMethod, { params, body: { payment_method: 'pm_card_visa' } }, call),
  'set-auto-renew': ({ params, call }: Given) =>
    callHandler(setAutoRenew, switchRenewal, { params, body: { auto_renew: true, ...consent } }, call),
  'cancel-member': ({ params, call }: Given) =>
    callHandler(cancelMember, cancel, { params, body: { when: 'end' } }, call),
};

/** Ada's membership with a saved card, which gets another customer before the call that is the `at`-th of Ada's request. */
async function raced(send: (given: Given) => Promise<unknown>, at: number) {
  const deps = newCheckoutDeps(table);
  const { orgId, nowUnix } = deps;
  await givenOrganisation(table, orgId);
  await saveProvider(table, orgId, login.asProvider());
  const { memberships } = await buyMembership(deps, await givenType(table, orgId));
  const memberId = memberships[0]?.memberId ?? 0;
  await switchOn(deps, memberId, 'pm_card_threeDSecure2Required');
  const { userId: adaId } = await memberOf(deps, memberId);
  await saveLink(table, orgId, { issuer: login.issuer, subject: 'ada', userId: adaId ?? 0, linkedUnix: 1 });
  const ben = await givenCustomer(table, orgId, { orgCustomerId: 'ben', emailAddress: 'ben@example.com' });
  let isMoved = false;
  const point = new RacePoint(at, 'before', async () => {
    isMoved = true;
    await changeMember(table, { orgId, memberId, nowUnix, change: () => ({ userId: ben.userId }) });
  });
  const answer = await send({
    params: { membership_member_id: String(memberId) },
    call: {
      table: crashingTable(table, point),
      orgId,
      nowMs: nowUnix * 1000,
      kind: 'storefront',
      ssoToken: login.token('ada'),
    },
  }).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
  const member = await memberOf(deps, memberId);
  const renewal = member.renewalId === null ? undefined : await readRenewal(table, orgId, member.renewalId);
  return { isMoved, answer, benId: ben.userId, member, renewal };
}

describe('a membership that gets another customer while its former one changes it', () => {
  it.each(Object.entries(calls))('%s is done before that, or changes nothing of it', async (_name, send) => {
    const answers: string[] = [];
    for (let at = 1; ; at += 1) {
      const { isMoved, answer, benId, member, renewal } = await raced(send, at);
      if (!isMoved) {
        expect([answer, at > 4]).toEqual(['done', true]);
        break;
      }
      answers.push(answer);
      expect({ at, userId: member.userId, autoRenew: member.autoRenew }).toEqual({
        at,
        userId: benId,
        autoRenew: false,
      });
      expect({ at, saved: renewal?.saved ?? null, isOn: renewal?.isOn ?? false }).toEqual({
        at,
        saved: null,
        isOn: false,
      });
      if (answer !== 'done') expect({ at, cancelled: member.cancelledUnix }).toEqual({ at, cancelled: null });
      expect({ at, isDone: answer === 'done' && member.cancelledUnix !== null }).toEqual({ at, isDone: false });
    }
    expect(answers).toContain('resource_not_found');
  });
});
