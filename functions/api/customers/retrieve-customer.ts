import { readAttributes } from '../../../shared/data/customers/attributes.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { customerResource } from '../../../shared/mappers/customer.ts';
import { retrieveCustomer } from '../../../shared/operations/customers/retrieve-customer.ts';

export const handle: Handle<typeof retrieveCustomer> = async ({ params }, { caller, table }) => {
  const customer = await findCustomer(table, caller.orgId, params.customer_id);
  if (customer === undefined) throw notFound('customer');
  const attributes = await readAttributes(table, caller.orgId, customer.userId);
  return { ...customerResource(caller.orgId, customer), attributes };
};

export const handler = pipeline(retrieveCustomer, handle);
