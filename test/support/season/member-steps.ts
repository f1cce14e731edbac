import { handle as cancelOne } from '../../../functions/api/members/cancel-member.ts';
import { payInstalment, recordPaidElsewhere } from '../../../shared/charges/pay-instalment.ts';
import { setAutoRenew } from '../../../shared/charges/set-auto-renew.ts';
import { setPaymentMethod } from '../../../shared/charges/set-payment-method.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { cancelRefunds } from '../../../shared/domain/members/cancellation.ts';
import { isCancelledMember } from '../../../shared/domain/members/status.ts';
import { cancelMember } from '../../../shared/operations/members/cancel-member.ts';
import { cards, shownBy } from './cards.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

export const newest = 8;

/** The member of the last step, so that steps meet, or one of the newest. Cancelled ones are rarely asked for. */
export async function memberOf({ club, outside, choose }: Scene): Promise<MemberRecord | undefined> {
  const ids = choose([true, true, false]) ? club.touched.slice(-1) : club.members.slice(-newest);
  const read = await Promise.all(ids.map((memberId) => readMember(outside, club.orgId, memberId)));
  const members = read.filter((member) => member !== undefined);
  const member = choose(
    choose([true, false, false, false]) ? members : members.filter((one) => !isCancelledMember(one)),
  );
  if (member !== undefined) club.touched.push(member.memberId);
  return member;
}

/** One who pays in instalments, if there is one. */
async function debtorOf(scene: Scene): Promise<(MemberRecord & { readonly planId: number }) | undefined> {
  for (let tries = 0; tries < newest; tries += 1) {
    const member = await memberOf(scene);
    const planId = member?.planId ?? null;
    if (member !== undefined && planId !== null) return { ...member, planId };
  }
  return undefined;
}

const consentText = 'Renew my membership every year.';

export const memberSteps: Steps = {
  'pay an instalment': {
    weight: 6,
    run: async (scene) => {
      const { deps, choose } = scene;
      const member = await debtorOf(scene);
      if (member === undefined) return nothing;
      const { planId, userId } = member;
      const how = {
        number: choose([null, null, 2, 3]),
        paymentMethod: choose([...cards, null]),
        saves: choose([true, false]),
      };
      return shownBy(scene, await payInstalment(deps, { planId, ...how, returnUrl: null, userId }));
    },
  },
  'pay an instalment elsewhere': {
    weight: 3,
    run: async (scene) => {
      const member = await debtorOf(scene);
      if (member === undefined) return nothing;
      const { planId } = member;
      return (await recordPaidElsewhere(scene.deps, { planId, number: scene.choose([null, 2, 3]) })).outcome;
    },
  },
  'save a card': {
    weight: 3,
    run: async (scene) => {
      const { deps, choose } = scene;
      const member = await memberOf(scene);
      if (member === undefined) return nothing;
      const command = { memberId: member.memberId, paymentMethod: choose(cards), returnUrl: null };
      return shownBy(scene, await setPaymentMethod(deps, command));
    },
  },
  'switch auto-renewal': {
    weight: 4,
    run: async (scene) => {
      const member = await memberOf(scene);
      if (member === undefined) return nothing;
      const { memberId } = member;
      const isOn = scene.choose([true, true, false]);
      return (await setAutoRenew(scene.deps, { memberId, consentText: isOn ? consentText : null })).outcome;
    },
  },
  'cancel a member': {
    weight: 5,
    run: async (scene) => {
      const member = await memberOf(scene);
      if (member === undefined) return nothing;
      const params = { membership_member_id: String(member.memberId) };
      const when = scene.choose(['now', 'now', 'end']);
      const body = { when, refund: when === 'now' ? scene.choose(cancelRefunds) : 'none' };
      return outcomeOf(await call(scene, cancelMember, cancelOne, { params, body }));
    },
  },
};
