import { customerKey, eventKey } from '../../shared/data/table/keys.ts';
import { marketingEmails } from '../../shared/domain/customers/consents.ts';
import { recordConsents } from '../../shared/sales/consents/record-consents.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { remove, set } from './audit.ts';
import type { Breakage } from './audit-list-breakages.ts';

/** Breakages that the audit finds on its way from customer to customer. */
export const customerBreakages: readonly Breakage[] = [
  {
    what: 'orders whose event was deleted',
    check: 'order-events',
    row: /^ORD#/,
    problem: /^Its event \d+ does not exist\.$/,
    breaks: (table, { orgId, eventId }) => remove(table, eventKey(orgId, eventId)),
  },
  {
    what: 'a customer who may be written to after a withdrawal',
    group: 'fifth',
    check: 'consents',
    row: /^CUS#/,
    problem: /^marketing_emails is true, and the consent that counts says false\.$/,
    breaks: async (table, { deps, orgId }) => {
      const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'consents' });
      const said = [{ ...marketingEmails, given: false, textVersion: 'v1' }];
      await recordConsents({ ...deps, requestId: undefined }, { userId, said, source: 'page' });
      await set(table, customerKey(orgId, userId), 'mail', true);
    },
  },
];
