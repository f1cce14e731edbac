import { readAttributes, saveAttributes } from '../../shared/data/customers/attributes.ts';
import type { PersonSection } from './section.ts';

/** The numbers that the organisation keeps of the person, such as loyalty points. */
export const customerAttributesSection: PersonSection = {
  name: 'customer_attributes',
  collect: ({ table, orgId, customer }) => readAttributes(table, orgId, customer.userId),
  async erase({ table, orgId, customer: { userId } }) {
    const erased = Object.keys(await readAttributes(table, orgId, userId)).length;
    if (erased > 0) await saveAttributes(table, orgId, { userId, attributes: {} });
    return erased;
  },
};
