import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type CustomerRecord, customerLimits, emailIdentity } from '../../domain/customers/customer.ts';
import { customerKey, type ItemKey } from '../table/keys.ts';
import type { Reading } from '../table/read-options.ts';
import type { Table } from '../table/table.ts';
import { customerIdClaim, emailClaim } from './items.ts';
import { parseCustomer } from './row.ts';

export async function readCustomer(
  table: Table,
  orgId: string,
  userId: number,
  { consistent = false }: Reading = {},
): Promise<CustomerRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: customerKey(orgId, userId), ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : parseCustomer(Item);
}

/** The customer with this org_customer_id. What is longer than any id is not looked for: the table refuses endless keys. */
export async function findCustomer(
  table: Table,
  orgId: string,
  orgCustomerId: string,
  reading: Reading = {},
): Promise<CustomerRecord | undefined> {
  if (orgCustomerId.length > customerLimits.orgCustomerId) return undefined;
  const userId = await claimHolder(table, customerIdClaim(orgId, orgCustomerId), reading);
  return userId === undefined ? undefined : readCustomer(table, orgId, userId, reading);
}

/** The customer with this email address: there is at most one. */
export async function findCustomerByEmail(
  table: Table,
  orgId: string,
  emailAddress: string,
): Promise<CustomerRecord | undefined> {
  if (emailIdentity(emailAddress).length > customerLimits.emailAddress) return undefined;
  const consistent = true;
  const userId = await claimHolder(table, emailClaim(orgId, emailAddress), { consistent });
  return userId === undefined ? undefined : readCustomer(table, orgId, userId, { consistent });
}

const Claim = v.object({ id: v.number() });

export async function claimHolder(
  table: Table,
  claim: ItemKey,
  { consistent = false }: Reading = {},
): Promise<number | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: claim, ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : v.parse(Claim, Item).id;
}
