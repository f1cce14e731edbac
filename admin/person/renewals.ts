import { eraseRenewal } from '../../shared/data/admin/erase-renewal.ts';
import { changeMember } from '../../shared/data/members/change.ts';
import { membersOfCustomer } from '../../shared/data/members/of-customer.ts';
import { readRenewal } from '../../shared/data/renewals/renewals.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Person, PersonSection } from './section.ts';

/** How the memberships of the person are paid from now on: the saved payment method, and the consent to auto-renewal. */
export const renewalsSection: PersonSection = {
  name: 'renewals',
  async collect(person) {
    const { table, orgId } = person;
    const documents = (await renewalIds(person)).map(async (renewalId) => {
      const renewal = await readRenewal(table, orgId, renewalId);
      if (renewal === undefined) return [];
      const { memberIds, isOn, consent, saved } = renewal;
      const agreed = consent && { text: consent.text, given: consent.givenUnix };
      const payment_method = saved?.paymentMethod ?? null;
      return [{ membership_member_ids: memberIds, auto_renew: isOn, consent: agreed, payment_method }];
    });
    return (await Promise.all(documents)).flat();
  },
  async erase(person) {
    const { table, orgId, clock, requestId } = person;
    let erased = 0;
    for (const renewalId of await renewalIds(person)) {
      if (await eraseRenewal(table, orgId, renewalId)) erased += 1;
      const memberIds = (await readRenewal(table, orgId, renewalId))?.memberIds ?? [];
      for (const memberId of memberIds) {
        await changeMember(
          table,
          { orgId, memberId, nowUnix: unixSeconds(clock), change: () => ({ autoRenew: false }) },
          ({ after }) => outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
        );
      }
    }
    return erased;
  },
};

/** People of one purchase share a record. One who joined the record of others may have left its own behind, under its own id. */
async function renewalIds({ table, orgId, customer }: Person): Promise<readonly number[]> {
  const members = await membersOfCustomer(table, orgId, customer.userId);
  return [...new Set(members.flatMap(({ memberId, renewalId }) => [memberId, renewalId ?? memberId]))];
}
