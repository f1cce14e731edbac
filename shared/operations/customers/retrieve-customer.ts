import { customersAccess } from '../../data/customers/access.ts';
import { defineOperation } from '../operation.ts';
import { CustomerWithAttributes } from '../schemas/customer.ts';
import { customerPath } from './customer-path.ts';

export const retrieveCustomer = defineOperation({
  id: 'retrieve-customer',
  resource: 'customers',
  summary: 'Retrieve a customer',
  description: 'Returns one customer of the organisation, with its attributes.',
  method: 'GET',
  paths: ['/v1/customers/{customer_id}'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: customerPath },
  output: { schema: CustomerWithAttributes },
  effects: { access: [customersAccess.findCustomer, customersAccess.readAttributes] },
});
