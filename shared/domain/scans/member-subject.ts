import { isCurrentAt } from '../members/end.ts';
import type { PassageLog, ScanSubject } from './evaluate.ts';
import { type Scan, unknownFacts } from './scan.ts';

/** What the evaluation of a scan needs to know about a member. */
export interface ScannedMember {
  readonly memberId: number;
  readonly userId: number | null;
  readonly barcode: string | null;
  readonly statusId: 0 | 1 | 2 | 3;
  readonly expiresUnix: number | null;
  readonly autoRenew?: boolean | undefined;
  readonly goesOnUntilUnix?: number | undefined;
  /** When the oldest instalment was due that was declined and is not paid. */
  readonly overdueSinceUnix: number | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly categoryId: number | null;
  readonly categoryTitle: string | null;
  readonly seatSection: string | null;
  readonly seatRow: string | null;
  readonly seatTitle: string | null;
}

/** Whether the member's type or category includes access on game days. */
export interface GameDayAccess {
  readonly byType: boolean;
  readonly byCategory: boolean;
  /** How long an instalment may be overdue. */
  readonly graceDays: number;
}

const statusIds = { unpaid: 0, cancelled: 3 } as const;

/** A member is admitted if the membership includes access on game days, has not expired, and is paid, completely or in instalments so far. */
export function memberSubject(
  member: ScannedMember,
  access: GameDayAccess,
  log: PassageLog,
  { scannedUnix }: Pick<Scan, 'scannedUnix'>,
): ScanSubject {
  return {
    barcode: member.barcode,
    facts: {
      ...unknownFacts,
      ticketName: [member.firstName, member.lastName].filter((name) => name !== null).join(' ') || null,
      memberId: member.memberId,
      userId: member.userId,
      membershipCategoryId: member.categoryId,
      categoryTitle: member.categoryTitle,
      emailAddress: member.emailAddress,
      sectionLabel: member.seatSection,
      seatRow: member.seatRow,
      seatTitle: member.seatTitle,
    },
    refusal: refusalOf(member, access, scannedUnix),
    log,
    attendsPrice: undefined,
  };
}

function refusalOf(
  member: ScannedMember,
  { byType, byCategory, graceDays }: GameDayAccess,
  scannedUnix: number,
): ScanSubject['refusal'] {
  const { statusId, overdueSinceUnix } = member;
  if (statusId === statusIds.cancelled) return 'cancelled';
  if (statusId === statusIds.unpaid) return 'unpaid';
  if (isOverdue(overdueSinceUnix, graceDays, scannedUnix)) return 'unpaid';
  if (!isCurrentAt(member, scannedUnix)) return 'expired';
  return byType || byCategory ? undefined : 'no_access';
}

const daySeconds = 86_400;

/** Whether an instalment is overdue for longer than the membership type allows. */
export function isOverdue(overdueSinceUnix: number | null, graceDays: number, atUnix: number): boolean {
  return overdueSinceUnix !== null && atUnix >= overdueSinceUnix + graceDays * daySeconds;
}
