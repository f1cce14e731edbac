import { readAttributes } from '../../../shared/data/customers/attributes.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { customerNotFound } from '../../../shared/http/handlers/problems/customer-not-found.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { customerResource } from '../../../shared/mappers/customer.ts';
import { retrieveCustomer } from '../../../shared/operations/customers/retrieve-customer.ts';

export const handle: Handle<typeof retrieveCustomer> = async ({ params }, { caller, table }) => {
  const customer = await findCustomer(table, caller.orgId, params.customer_id);
  if (customer === undefined) throw customerNotFound(params.customer_id);
  const attributes = await readAttributes(table, caller.orgId, customer.userId);
  return { ...customerResource(caller.orgId, customer), attributes };
};

export const handler = pipeline(retrieveCustomer, handle);
