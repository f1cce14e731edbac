import { lastTermOf } from '../../data/members/bought-together.ts';
import { commitMember } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { isMembershipLine } from '../../domain/baskets/line-item.ts';
import { isCurrentAt } from '../../domain/members/end.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import { membershipLapsed } from '../../mappers/member-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';

/** Announces that the memberships of an order have ended and were not renewed. A repeat announces nothing. */
export async function announceLapses(deps: CheckoutDeps, { basketId, status, lines }: Basket): Promise<void> {
  if (status !== 'checked_out' || !lines.some(isMembershipLine)) return;
  const placed = await readOrderWithTickets(deps.table, deps.orgId, basketId);
  for (const { memberId } of placed?.memberships ?? []) await announceLapse(deps, memberId, String(basketId));
}

/** The member keeps the end that was announced: each end is announced once. */
function announceLapse(deps: CheckoutDeps, memberId: number, orderId: string): Promise<'announced' | 'none'> {
  const { table, orgId, clock, requestId } = deps;
  return retryRaces('member', async () => {
    const before = await readMember(table, orgId, memberId);
    if (before === undefined || before.orderId !== orderId || !isLapsed(before, unixSeconds(clock))) return 'none';
    const after = { ...before, lapsedUnix: before.expiresUnix, version: before.version + 1 };
    const term = await lastTermOf(table, orgId, before);
    const written = await commitMember(table, orgId, { before, after }, () =>
      outboxItems(table, orgId, membershipLapsed(after, term), { nowMs: clock.nowMs(), requestId }),
    );
    return written === 'written' ? 'announced' : undefined;
  });
}

function isLapsed(member: MemberRecord, nowUnix: number): boolean {
  const { expiresUnix, lapsedUnix } = member;
  return !isCurrentAt(member, nowUnix) && lapsedUnix !== expiresUnix && !isCancelledMember(member);
}
