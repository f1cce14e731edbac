import { saveCustomer } from '../../shared/data/customers/save.ts';
import { forgetPagePositions } from '../../shared/data/lists/page-positions.ts';
import { idOfSortKey } from '../../shared/domain/customers/sort.ts';
import { idText } from '../../shared/domain/ids.ts';
import { customerResource } from '../../shared/mappers/customer.ts';
import type { PersonSection } from './section.ts';

/** The customer with its search entries, which saveCustomer updates, and the stored page positions that contain its name. */
export const customerSection: PersonSection = {
  name: 'customer',
  collect: async ({ orgId, customer }) => customerResource(orgId, customer),
  async erase({ table, orgId, customer, nowUnix }) {
    const erased = {
      orgCustomerId: customer.orgCustomerId,
      firstName: null,
      lastName: null,
      emailAddress: null,
      mobileNumber: null,
      postcode: null,
      marketingEmails: false,
      newEventNotifications: false,
    };
    const { outcome } = await saveCustomer(table, orgId, erased, nowUnix);
    // After the customer: a page that is read in between would store the name again.
    await forgetPagePositions(table, orgId, (sortKey) => idOfSortKey(sortKey) === idText(customer.userId));
    return outcome === 'updated' ? 1 : 0;
  },
};
