import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { attributeLimits } from '../../domain/customers/attributes.ts';
import { defineOperation } from '../operation.ts';
import { CustomerWithAttributes } from '../schemas/customer.ts';
import { field, StoredNumber } from '../schemas/fields.ts';
import { customerPath } from './customer-path.ts';

export const setCustomerAttributes = defineOperation({
  id: 'set-customer-attributes',
  resource: 'customers',
  summary: 'Set the attributes of a customer',
  description: `Replaces all attributes of the customer: numbers that your systems keep, such as loyalty points, or 1 for a verified access need. At most
${attributeLimits.names} names of lowercase letters, digits and underscores; an empty object removes all. Returns the customer with its attributes. They
are erased with the customer.`,
  method: 'PUT',
  paths: ['/v1/customers/{customer_id}/attributes'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: {
    params: customerPath,
    body: v.strictObject({
      attributes: field(
        v.pipe(v.record(v.string(), StoredNumber), v.maxEntries(attributeLimits.names)),
        'The attributes, each a name and a number.',
      ),
    }),
  },
  output: { schema: CustomerWithAttributes },
  effects: { access: [customersAccess.findCustomer, customersAccess.saveAttributes], cannotBeUndone: false },
});
