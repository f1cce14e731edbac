import { deleteConsents, everyConsent } from '../../shared/data/customers/consents.ts';
import { consentResource } from '../../shared/mappers/consent.ts';
import type { PersonSection } from './section.ts';

/** What the person agreed to and withdrew. The customer is erased before: nothing can be added any more by who read it earlier. */
export const consentsSection: PersonSection = {
  name: 'consents',
  async collect({ table, orgId, customer }) {
    return (await everyConsent(table, orgId, customer.userId)).map((consent) =>
      consentResource(customer.userId, consent),
    );
  },
  erase: ({ table, orgId, customer }) => deleteConsents(table, orgId, customer.userId),
};
