import { findCustomer, readCustomer } from '../../../data/customers/read.ts';
import type { CustomerRecord } from '../../../domain/customers/customer.ts';
import type { Deps } from '../../pipeline.ts';
import { notFound } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';
import { authenticateFan } from './authenticate-fan.ts';
import { isForFan } from './own-member.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** A fan need not know the organisation's id of the own customer. */
const ownId = 'me';

/** The customer of a path. For a fan it must be the own one; another one looks like a missing one. */
export async function ownCustomer(
  request: Request,
  { customer_id }: { readonly customer_id: string },
): Promise<CustomerRecord> {
  const { caller, table } = request;
  const { orgId } = caller;
  const fan = isForFan(request) ? await authenticateFan(request) : undefined;
  const customer =
    fan !== undefined && customer_id === ownId
      ? await readCustomer(table, orgId, fan.userId)
      : await findCustomer(table, orgId, customer_id);
  if (customer === undefined || (fan !== undefined && fan.userId !== customer.userId)) throw notFound('customer');
  return customer;
}
