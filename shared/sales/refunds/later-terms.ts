import { termsOfMember } from '../../data/terms/terms.ts';
import { hasLaterTerm } from '../../domain/members/next-term.ts';
import { withWholeLines } from '../../domain/orders/membership.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { OrderDeps } from './cancel-or-refund-tickets.ts';

/** The members of an order that have bought a term after that of the order: the later one must be refunded first. */
export async function membersWithLaterTerm(
  { table, orgId }: Pick<OrderDeps, 'table' | 'orgId'>,
  { memberships }: Pick<OrderWithTickets, 'memberships'>,
  memberIds: readonly number[],
): Promise<readonly number[]> {
  const found = withWholeLines(memberships, memberIds).map(async ({ memberId, termId }) =>
    hasLaterTerm(await termsOfMember(table, orgId, memberId), termId) ? [memberId] : [],
  );
  return (await Promise.all(found)).flat();
}
