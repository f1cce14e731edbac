import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { wantsMarketingEmails } from '../../domain/customers/consents.ts';
import { currentConsentsOf } from '../customers/consents.ts';
import { parseCustomer } from '../customers/row.ts';
import { customerKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A stored customer, parsed only if there is something to compare. */
export interface StoredCustomer {
  readonly userId: number;
  readonly item: unknown;
}

/** Finds customers whose `marketing_emails` is not what they said last. Without a consent it was imported, and is not compared. */
export async function auditConsents(
  table: Table,
  orgId: string,
  customers: readonly StoredCustomer[],
): Promise<Finding[]> {
  const userIds = customers.map(({ userId }) => userId);
  const current = await currentConsentsOf(table, orgId, userIds);
  return customers.flatMap(({ userId, item }): Finding[] => {
    const wanted = wantsMarketingEmails(current.get(userId)?.consents ?? []);
    if (wanted === undefined || parseCustomer(item).marketingEmails === wanted) return [];
    const problem = `marketing_emails is ${!wanted}, and the consent that counts says ${wanted}.`;
    return [{ check: 'consents', row: nameRow(customerKey(orgId, userId)), problem }];
  });
}
