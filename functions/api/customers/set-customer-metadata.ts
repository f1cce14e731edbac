import { setCustomerMetadata as set } from '../../../shared/data/customers/set-metadata.ts';
import { customerNotFound } from '../../../shared/http/handlers/problems/customer-not-found.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { customerResource } from '../../../shared/mappers/customer.ts';
import { setCustomerMetadata } from '../../../shared/operations/customers/set-customer-metadata.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof setCustomerMetadata> = async ({ params, body }, { caller, table, clock }) => {
  const customer = await set(table, caller.orgId, {
    orgCustomerId: params.customer_id,
    change: body.metadata,
    nowUnix: unixSeconds(clock),
  });
  if (customer === undefined) throw customerNotFound(params.customer_id);
  return customerResource(caller.orgId, customer);
};

export const handler = pipeline(setCustomerMetadata, handle);
