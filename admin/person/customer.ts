import { saveCustomer } from '../../shared/data/customers/save.ts';
import { forgetPagePositions } from '../../shared/data/lists/page-positions.ts';
import { idOfSortKey } from '../../shared/domain/customers/sort.ts';
import { idText } from '../../shared/domain/ids.ts';
import { customerResource } from '../../shared/mappers/customer.ts';
import type { PersonPart } from './section.ts';

/**
 * The customer with its unique email address and all that it is searched by: they are written together. And the places of
 * remembered pages that begin after it.
 */
export const customerPart: PersonPart = {
  name: 'customer',
  collect: async ({ orgId, customer }) => customerResource(orgId, customer),
  async erase({ table, orgId, customer, nowUnix }) {
    const nobody = {
      orgCustomerId: customer.orgCustomerId,
      firstName: null,
      lastName: null,
      emailAddress: null,
      mobileNumber: null,
      postcode: null,
      marketingEmails: false,
      newEventNotifications: false,
    };
    const { outcome } = await saveCustomer(table, orgId, nobody, nowUnix);
    // Only now: a page that is read before would remember the name again.
    await forgetPagePositions(table, orgId, (place) => idOfSortKey(place) === idText(customer.userId));
    return outcome === 'updated' ? 1 : 0;
  },
};
