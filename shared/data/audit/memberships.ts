import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { activeTerms, memberOfTerms } from '../../domain/members/next-term.ts';
import { isCancelledMember, isUnpaidMember } from '../../domain/members/status.ts';
import type { TermRecord } from '../../domain/members/term.ts';
import { sumOf } from '../../domain/money.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
import { readOrderWithTickets } from '../orders/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey, termKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { termsOfMember } from '../terms/terms.ts';

/**
 * Compares the memberships of orders with their members and terms. Every membership has its term, which is active while the membership
 * is sold. The active terms of a member follow each other, so one of them at most is current, none has replaced or followed one that was
 * returned, and the last one says when the member expires. A member without a term that is left, and with nothing before, is cancelled. One that cancel-member has ended holds no place.
 */
export async function auditMemberships(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
): Promise<Finding[]> {
  const sold = orders.flatMap(({ memberships }) => memberships);
  if (sold.length === 0) return [];
  // A member is in the orders of all its terms.
  const keys = [...new Set(sold.map(({ memberId }) => memberId))].map((memberId) => memberKey(orgId, memberId));
  const members = new Map((await batchGet(table, keys, { consistent: true })).map((item) => [item.memberId, item]));
  const findings = sold.map(async (membership): Promise<Finding[]> => {
    const { memberId, termId } = membership;
    const terms = await termsOfMember(table, orgId, memberId);
    const member = members.get(memberId);
    const problem =
      termProblem(membership, terms) ??
      memberProblem(member, terms) ??
      (await placeProblem(table, orgId, member, terms));
    return problem === undefined
      ? []
      : [{ check: 'memberships', row: nameRow(termKey(orgId, memberId, termId)), problem }];
  });
  return (await Promise.all(findings)).flat();
}

/** A place of a type's capacity that a member took returns with the member. Its last membership says which ones it kept until then. */
async function placeProblem(
  table: Table,
  orgId: string,
  member: Readonly<Record<string, unknown>> | undefined,
  terms: readonly TermRecord[],
): Promise<string | undefined> {
  const isEnded =
    member !== undefined && isCancelledMember(member) && member.cancelledUnix != null && member.pendingRefund == null;
  if (!isEnded) return undefined;
  const orderIds = [...new Set(terms.map(({ orderId }) => orderId))];
  const orders = await Promise.all(orderIds.map((orderId) => readOrderWithTickets(table, orgId, orderId)));
  const own = orders
    .flatMap((placed) => placed?.memberships ?? [])
    .filter(({ memberId }) => memberId === member.memberId);
  const hasTaken = (one: OrderMembership): boolean => one.ownStock && (one.placeReturned === true || isSold(one));
  const taken = own.filter(hasTaken).length;
  const returned = sumOf(own.map(({ returnedPlaces = [] }) => returnedPlaces.length));
  return taken === returned ? undefined : `Its member is cancelled, and has ${taken - returned} places of a type.`;
}

function termProblem(membership: OrderMembership, terms: readonly TermRecord[]): string | undefined {
  const own = terms.find(({ termId }) => termId === membership.termId);
  if (own === undefined) return 'The term of a membership is missing.';
  if ((own.state === 'active') !== isSold(membership)) return `The term is ${own.state}, its membership is not.`;
  const ended = own.state === 'active' ? endedBefore(own, terms) : undefined;
  if (ended !== undefined) return ended;
  const active = activeTerms(terms);
  const isOverlapping = active.some(({ untilUnix }, index) => {
    const next = active[index + 1];
    return next !== undefined && (untilUnix === null || untilUnix > next.fromUnix);
  });
  return isOverlapping ? 'Its member has two terms at the same time.' : undefined;
}

/** Of two terms the later one ends first: what was paid for a term that another replaces is credited, and one that follows it begins at its end. */
function endedBefore(
  { termId, fromUnix, replacesTermId }: TermRecord,
  terms: readonly TermRecord[],
): string | undefined {
  const replaced = terms.find((term) => term.termId === replacesTermId);
  if (replaced !== undefined && replaced.state !== 'active') {
    return `It replaces a term that was ${replaced.state}, whose rest was credited too.`;
  }
  const adjoining = terms.filter((term) => term.termId !== termId && term.untilUnix === fromUnix);
  const [ended] = adjoining;
  return ended === undefined || adjoining.some(({ state }) => state === 'active')
    ? undefined
    : `It follows a term that was ${ended.state}.`;
}

/** An operator may have cancelled a member that is paid for. One that has returned to what it was before its terms is the club's own. */
function memberProblem(
  member: Readonly<Record<string, unknown>> | undefined,
  terms: readonly TermRecord[],
): string | undefined {
  if (member === undefined) return 'The member of a membership is missing.';
  if (isCancelledMember(member)) return undefined;
  if (member.cancelledUnix != null && member.autoRenew === true) return 'Its member is cancelled, and renews itself.';
  const left = memberOfTerms(terms);
  if (left === 'ended') return 'The membership has ended, and its member is not cancelled.';
  if (activeTerms(terms).length === 0) return undefined;
  if (member.orderId !== left.orderId) return 'The member does not name the order of its last term.';
  if ((member.expiresUnix ?? null) !== left.expiresUnix) return 'The member does not expire when its last term ends.';
  return isUnpaidMember(member) ? 'The member has a term that was sold, and is unpaid.' : undefined;
}
