import { saveCustomer } from '../../../shared/data/customers-save.ts';
import { customerResource } from '../../../shared/mappers/customer.ts';
import type { PersonPart } from './part.ts';

/** The customer with its unique email address and all that it is searched by: they are written together. */
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
    return outcome === 'updated' ? 1 : 0;
  },
};
