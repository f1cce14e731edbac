import { eraseRenewal } from '../../shared/data/admin/erase-renewal.ts';
import { renewalsOfCustomer } from '../../shared/data/admin/renewals-of-customer.ts';
import { changeMember } from '../../shared/data/members/change.ts';
import { readRenewal } from '../../shared/data/renewals/renewals.ts';
import { notRenewing } from '../../shared/domain/members/cancellation.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { PersonSection } from './section.ts';

/** How the person pays for memberships from now on: the saved payment method, and the consent to auto-renewal. */
export const renewalsSection: PersonSection = {
  name: 'renewals',
  async collect(person) {
    const { table, orgId, customer } = person;
    const renewals = await renewalsOfCustomer(table, orgId, customer.userId);
    return renewals.map(({ memberIds, isOn, consent, saved, setup }) => ({
      membership_member_ids: memberIds,
      auto_renew: isOn,
      consent: consent && { text: consent.text, given: consent.givenUnix },
      customer: (saved ?? setup)?.customer ?? null,
      payment_method: (saved ?? setup)?.paymentMethod ?? null,
    }));
  },
  async erase(person) {
    const { table, orgId, customer, clock, requestId } = person;
    let erased = 0;
    for (const { renewalId } of await renewalsOfCustomer(table, orgId, customer.userId)) {
      if (await eraseRenewal(table, orgId, renewalId)) erased += 1;
      const memberIds = (await readRenewal(table, orgId, renewalId))?.memberIds ?? [];
      for (const memberId of memberIds) {
        await changeMember(table, { orgId, memberId, nowUnix: unixSeconds(clock), change: notRenewing }, ({ after }) =>
          outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
        );
      }
    }
    return erased;
  },
};
