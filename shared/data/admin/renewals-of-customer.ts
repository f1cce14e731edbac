import { planMembers } from '../../domain/members/filters.ts';
import type { RenewalRecord } from '../../domain/renewals/renewal.ts';
import { everyMember } from '../members/list.ts';
import { parseRenewal } from '../renewals/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { renewalKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * The records of auto-renewals whose card and consent are the customer's. Reads those of all members: a membership may have moved to
 * somebody else since, and one who joined the record of others may have left its own behind, under its own id.
 */
export async function renewalsOfCustomer(
  table: Table,
  orgId: string,
  userId: number,
): Promise<readonly RenewalRecord[]> {
  const found = new Map<number, RenewalRecord>();
  for await (const members of everyMember(table, orgId, planMembers({}))) {
    const ids = new Set(members.flatMap(({ memberId, renewalId }) => [memberId, renewalId ?? memberId]));
    const keys = [...ids].map((renewalId) => renewalKey(orgId, renewalId));
    for (const renewal of (await batchGet(table, keys, { consistent: true })).map(parseRenewal)) {
      if (renewal.userId === userId) found.set(renewal.renewalId, renewal);
    }
  }
  return [...found.values()];
}
