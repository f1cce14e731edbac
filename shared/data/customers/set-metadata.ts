import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { type MetadataChange, mergeMetadata } from '../../domain/metadata.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { findCustomer } from './read.ts';
import { writeCustomer } from './write.ts';

/** The customer after a change of its metadata; undefined if there is none with this org_customer_id. */
export async function setCustomerMetadata(
  table: Table,
  orgId: string,
  {
    orgCustomerId,
    change,
    nowUnix,
  }: { readonly orgCustomerId: string; readonly change: MetadataChange; readonly nowUnix: number },
): Promise<CustomerRecord | undefined> {
  const { customer } = await retryRaces('customer', async () => {
    const before = await findCustomer(table, orgId, orgCustomerId, { consistent: true });
    if (before === undefined) return { customer: undefined };
    const metadata = mergeMetadata(before.metadata, change);
    if (metadata === before.metadata) return { customer: before };
    const after = { ...before, metadata, updatedUnix: nowUnix, version: before.version + 1 };
    const result = await writeCustomer(table, orgId, { before, after });
    return result === 'written' ? { customer: after } : undefined;
  });
  return customer;
}
