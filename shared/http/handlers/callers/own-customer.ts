import { findCustomer, readCustomer } from '../../../data/customers/read.ts';
import { linkCheck } from '../../../data/sso/links.ts';
import type { TransactItem } from '../../../data/table/transact.ts';
import type { CustomerRecord } from '../../../domain/customers/customer.ts';
import type { Deps } from '../../pipeline.ts';
import type { Caller } from '../../request-context.ts';
import { customerNotFound, ownId } from '../problems/customer-not-found.ts';
import { authenticateFan } from './authenticate-fan.ts';
import { isForFan } from './own-member.ts';

type Request = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

interface CustomerParams {
  readonly customer_id: string;
}

/** The customer of a path. For a fan it must be the own one; another one looks like a missing one. */
export async function ownCustomer(request: Request, params: CustomerParams): Promise<CustomerRecord> {
  return (await customerToChange(request, params)).customer;
}

/** The customer of a path, and the conditions of the transaction that changes it: a fan may have been unlinked since. */
export async function customerToChange(
  request: Request,
  { customer_id }: CustomerParams,
): Promise<{ readonly customer: CustomerRecord; readonly ownerChecks: readonly TransactItem[] }> {
  const { caller, table } = request;
  const { orgId } = caller;
  const fan = isForFan(request) ? await authenticateFan(request) : undefined;
  const customer =
    fan !== undefined && customer_id === ownId
      ? await readCustomer(table, orgId, fan.userId)
      : await findCustomer(table, orgId, customer_id);
  const isOther = customer !== undefined && fan !== undefined && fan.userId !== customer.userId;
  if (customer === undefined || isOther) throw customerNotFound(customer_id, fan !== undefined);
  return { customer, ownerChecks: fan === undefined ? [] : [linkCheck(table, orgId, fan.link)] };
}
