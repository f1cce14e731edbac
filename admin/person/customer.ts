import { forgetFormerAddresses, readFormerAddresses } from '../../shared/data/customers/former-addresses.ts';
import { saveCustomer } from '../../shared/data/customers/save.ts';
import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import { emptyCustomer } from '../../shared/domain/customers/customer.ts';
import { customerResource } from '../../shared/mappers/customer.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { PersonSection } from './section.ts';

/** The customer with its search entries, which saveCustomer updates. */
export const customerSection: PersonSection = {
  name: 'customer',
  async collect({ table, orgId, customer }) {
    const former_email_addresses = await readFormerAddresses(table, orgId, customer.userId);
    return { ...customerResource(orgId, customer), former_email_addresses };
  },
  async erase({ table, orgId, customer, clock }) {
    const erased = { orgCustomerId: customer.orgCustomerId, ...emptyCustomer, metadata: null };
    const { outcome } = await saveCustomer(table, orgId, erased, unixSeconds(clock));
    // The change of positions contains the old names and the old address until it is applied.
    await applyPositionChanges(table, { orgId, resource: 'customers' });
    // Last: after a crash they still lead to what is left.
    await forgetFormerAddresses(table, orgId, customer.userId);
    return outcome === 'updated' ? 1 : 0;
  },
};
