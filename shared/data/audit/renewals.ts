import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { renewsBy } from '../../domain/members/cancellation.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { RenewalRecord } from '../../domain/renewals/renewal.ts';
import { readMember } from '../members/read.ts';
import type { MemberRecord } from '../members/row.ts';
import { readRenewal } from '../renewals/renewals.ts';
import { renewalKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/**
 * Compares the members of orders with the record of their auto-renewal: a member that names one is in it, renews itself if and only
 * if the record does and it was not cancelled, belongs to the customer whose card is saved, and nothing renews itself that nobody agreed to.
 */
export async function auditRenewals(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
): Promise<Finding[]> {
  const memberIds = new Set(orders.flatMap(({ memberships }) => memberships.map(({ memberId }) => memberId)));
  const findings = [...memberIds].map(async (memberId): Promise<Finding[]> => {
    const member = await readMember(table, orgId, memberId);
    if (member === undefined || member.renewalId === null || isCancelledMember(member)) return [];
    const { renewalId } = member;
    const problem = renewalProblem(member, await readRenewal(table, orgId, renewalId));
    return problem === undefined
      ? []
      : [{ check: 'renewals', row: nameRow(renewalKey(orgId, renewalId)), problem: `${problem} (member ${memberId})` }];
  });
  return (await Promise.all(findings)).flat();
}

function renewalProblem(member: MemberRecord, renewal: RenewalRecord | undefined): string | undefined {
  if (renewal === undefined) return 'The record of the auto-renewal is missing.';
  if (!renewal.memberIds.includes(member.memberId)) return 'A member is not in the record of its auto-renewal.';
  if (renewsBy(renewal, member) !== member.autoRenew) return 'A member says something else about its auto-renewal.';
  if (renewal.userId !== member.userId) return 'A member belongs to another customer than the saved card.';
  return renewal.isOn && renewal.consent === null ? 'Nobody has agreed to the auto-renewal.' : undefined;
}
