import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { defineOperation } from '../operation.ts';
import { Customer } from '../schemas/customer.ts';
import { field } from '../schemas/fields.ts';

export const retrieveCustomer = defineOperation({
  id: 'retrieve-customer',
  resource: 'customers',
  summary: 'Retrieve a customer',
  description: 'Returns one customer of the organisation.',
  method: 'GET',
  paths: ['/v1/customers/{customer_id}'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: v.strictObject({ customer_id: field(v.string(), 'The org_customer_id of the customer.') }) },
  output: { schema: Customer },
  effects: { access: [customersAccess.findCustomer] },
});
