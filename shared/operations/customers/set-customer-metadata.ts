import * as v from 'valibot';
import { customersAccess } from '../../data/customers/access.ts';
import { defineOperation } from '../operation.ts';
import { Customer } from '../schemas/customer.ts';
import { metadataChange } from '../schemas/metadata.ts';
import { customerPath } from './customer-path.ts';

export const setCustomerMetadata = defineOperation({
  id: 'set-customer-metadata',
  resource: 'customers',
  summary: 'Set the metadata of a customer',
  description: `Changes the pairs that your own systems keep with the customer, such as its id in your CRM. They are merged by key: keys that you do not
send stay. A change sets \`updated_at\`, so copies that are kept by updated_since get it. Metadata is erased with the customer.`,
  method: 'PUT',
  paths: ['/v1/customers/{customer_id}/metadata'],
  auth: { kind: 'metered', scope: 'members:write' },
  input: { params: customerPath, body: v.strictObject({ metadata: metadataChange }) },
  output: { schema: Customer },
  effects: { access: [customersAccess.setCustomerMetadata], cannotBeUndone: false },
});
