import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey, termKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { termsOfMember } from '../terms/terms.ts';

/**
 * Compares the memberships of orders with their members and terms: a member that was bought here has exactly one current term, that
 * of its order, and an ended membership has a cancelled member.
 */
export async function auditMemberships(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
): Promise<Finding[]> {
  const sold = orders.flatMap(({ memberships }) => memberships);
  if (sold.length === 0) return [];
  const keys = sold.map(({ memberId }) => memberKey(orgId, memberId));
  const members = new Map((await batchGet(table, keys, { consistent: true })).map((item) => [item.memberId, item]));
  const findings = sold.map(async (membership): Promise<Finding[]> => {
    const { memberId, termId } = membership;
    const terms = await termsOfMember(table, orgId, memberId);
    const problem = termProblem(membership, terms) ?? memberProblem(membership, members.get(memberId));
    return problem === undefined
      ? []
      : [{ check: 'memberships', row: nameRow(termKey(orgId, memberId, termId)), problem }];
  });
  return (await Promise.all(findings)).flat();
}

function termProblem(membership: OrderMembership, terms: readonly TermRecord[]): string | undefined {
  const own = terms.find(({ termId }) => termId === membership.termId);
  if (own === undefined) return 'The term of a membership is missing.';
  const current = terms.filter(({ state }) => state === 'active').length;
  if ((own.state === 'active') !== isSold(membership)) return `The term is ${own.state}, its membership is not.`;
  return isSold(membership) && current !== 1
    ? `Its member has ${current} terms that are active, and not one.`
    : undefined;
}

/** An operator may have cancelled a member that is paid for. */
function memberProblem(
  membership: OrderMembership,
  member: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  if (member === undefined) return 'The member of a membership is missing.';
  return !isSold(membership) && member.statusId !== 3
    ? 'The membership has ended, and its member is not cancelled.'
    : undefined;
}
