import { basketHint } from '../../data/baskets/baskets.ts';
import { commitMember, withFields } from '../../data/members/change.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readTypesForMembers, type SoldTypeForMember } from '../../data/membership/type-for-member.ts';
import { renewalHintPut } from '../../data/renewals/renewals.ts';
import { dueHintItem } from '../../data/table/due-hints.ts';
import { retryRaces } from '../../data/table/retry.ts';
import type { Table } from '../../data/table/table.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import {
  type NextTerm,
  nextTermDates,
  replacingTermDates,
  type TermDates,
  typeOfTerms,
} from '../../domain/members/next-term.ts';
import { isCancelledMember, isUnpaidMember, paidStatus } from '../../domain/members/status.ts';
import type { MemberBefore } from '../../domain/members/term.ts';
import { memberUpdated } from '../../mappers/member-events.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { CheckoutDeps } from '../deps.ts';

interface Renewal extends Pick<NextTerm, 'change' | 'day'> {
  readonly orderId: number;
  readonly timezone: string;
  readonly nowUnix: number;
}

/**
 * The member with its next term. Number, barcode and seat stay. The type changes when the term begins: at once, or by `followTerms`.
 * Undefined if the term would add nothing.
 */
export function renewedMember(
  before: MemberRecord,
  { type, copiedFields }: SoldTypeForMember,
  { change, day, orderId, timezone, nowUnix }: Renewal,
): { readonly after: MemberRecord; readonly dates: TermDates } | undefined {
  const dates =
    change === 'replaces'
      ? replacingTermDates(type, { nowUnix, timezone })
      : nextTermDates(type, before, { nowUnix, timezone, day });
  if (dates === undefined) return undefined;
  const after = {
    ...before,
    ...(dates.fromUnix <= nowUnix && copiedFields),
    // Instalments that are still open stay open.
    statusId: isUnpaidMember(before) ? paidStatus : before.statusId,
    expiresUnix: dates.untilUnix,
    cancelledUnix: null,
    orderId: String(orderId),
  };
  return { after: withFields(before, after, nowUnix), dates };
}

export function beforeRenewal({ expiresUnix, orderId, typeId, statusId }: MemberRecord): MemberBefore {
  return { expiresUnix, orderId, typeId, statusId };
}

interface StartingTerm {
  readonly before: MemberRecord | undefined;
  readonly dates: TermDates;
  readonly membership: { readonly typeId: number };
}

/** The hints by which the sweeper finds an order when its terms begin, if the members get another type then, and when they end. */
export function termHints(
  table: Table,
  orgId: string,
  { orderId, placedUnix }: { readonly orderId: number; readonly placedUnix: number },
  sold: readonly StartingTerm[],
): readonly TransactItem[] {
  const starts = sold
    .filter(({ before, dates, membership }) => before?.typeId !== membership.typeId && dates.fromUnix > placedUnix)
    .map(({ dates }) => dates.fromUnix);
  const ends = sold.flatMap(({ dates }) => dates.untilUnix ?? []);
  return [...new Set([...starts, ...ends])].map((dueUnix) => ({
    Put: { TableName: table.name, Item: dueHintItem(basketHint(orgId, { basketId: orderId }, dueUnix)) },
  }));
}

/** The next renewal is announced 30 days before. The worker looks a little earlier, and decides when exactly. */
const firstLookSeconds = 31 * 86_400;

/** The hints by which the worker finds the memberships that renew themselves before their new terms end. */
export function renewalHints(
  table: Table,
  orgId: string,
  sold: readonly { readonly after: MemberRecord; readonly dates: TermDates }[],
): readonly TransactItem[] {
  const looks = sold.flatMap(({ after, dates: { untilUnix } }) =>
    after.autoRenew && after.renewalId !== null && untilUnix !== null ? [[after.renewalId, untilUnix] as const] : [],
  );
  return [...new Map(looks)].map(([renewalId, untilUnix]) =>
    renewalHintPut(table, orgId, renewalId, untilUnix - firstLookSeconds),
  );
}

/** Gives the members that an order has renewed the type of their current term. A repeat changes nothing. */
export async function followTerms(deps: CheckoutDeps, { status, lines }: Basket): Promise<void> {
  if (status !== 'checked_out') return;
  const memberIds = lines.flatMap(({ nextTerm }) => (nextTerm?.members ?? []).map(({ memberId }) => memberId));
  for (const memberId of memberIds) await followTermsOf(deps, memberId);
}

function followTermsOf({ table, orgId, clock, requestId }: CheckoutDeps, memberId: number): Promise<'followed'> {
  const nowUnix = unixSeconds(clock);
  return retryRaces('member', async () => {
    const [before, terms] = await Promise.all([
      readMember(table, orgId, memberId),
      termsOfMember(table, orgId, memberId),
    ]);
    const typeId = typeOfTerms(terms, nowUnix);
    if (before === undefined || typeId === undefined || isCancelledMember(before) || before.typeId === typeId) {
      return 'followed';
    }
    const found = (await readTypesForMembers(table, orgId, new Set([typeId]))).get(typeId);
    if (found === undefined) return 'followed';
    const { expiresUnix: _, ...copy } = found.copiedFields;
    const change = { before, after: withFields(before, copy, nowUnix), checks: found.checks };
    const written = await commitMember(table, orgId, change, ({ after }) =>
      outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
    );
    return written === 'written' ? 'followed' : undefined;
  });
}
