import { eraseSavedCustomers } from '../../shared/data/admin/erase-plan.ts';
import { savedCustomersOf } from '../../shared/data/plans/saved-customers.ts';
import type { PersonSection } from './section.ts';

/** Who the person is at the payment provider, which keeps the saved payment methods. It is erased there by the organisation. */
export const providerCustomersSection: PersonSection = {
  name: 'provider_customers',
  async collect({ table, orgId, customer: { userId } }) {
    const saved = await savedCustomersOf(table, orgId, userId);
    return saved.map(({ provider, account, customer }) => ({ provider, account, customer }));
  },
  erase: ({ table, orgId, customer }) => eraseSavedCustomers(table, orgId, customer.userId),
};
