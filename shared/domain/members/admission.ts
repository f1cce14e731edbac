import type { PassageLog, ScanSubject } from '../scans/judgement.ts';
import { nobodyKnown, type Scan } from '../scans/scan.ts';

/** What a gate has to know of a member. */
export interface ScannedMember {
  readonly statusId: 0 | 1 | 2 | 3;
  readonly expiresUnix: number | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly categoryId: number | null;
  readonly categoryTitle: string | null;
}

/** Whether what the member holds, its type or its category, lets members in on the day of a game. */
export interface GameDayAccess {
  readonly byType: boolean;
  readonly byCategory: boolean;
}

const statusIds = { unpaid: 0, cancelled: 3 } as const;

/**
 * A member is let in by a membership that gives access on game days and is paid, wholly or so far. One that has run out is
 * as good as unpaid: it has to be renewed. Whoever holds nothing that gives access has a barcode that is not for this gate.
 */
export function memberSubject(
  member: ScannedMember,
  access: GameDayAccess,
  log: PassageLog,
  { scannedUnix }: Pick<Scan, 'scannedUnix'>,
): ScanSubject {
  return {
    facts: {
      ...nobodyKnown,
      ticketName: [member.firstName, member.lastName].filter((name) => name !== null).join(' ') || null,
      membershipCategoryId: member.categoryId,
      categoryTitle: member.categoryTitle,
      emailAddress: member.emailAddress,
    },
    refusal: refusalOf(member, access, scannedUnix),
    log,
    attendsPrice: undefined,
  };
}

function refusalOf(
  { statusId, expiresUnix }: ScannedMember,
  { byType, byCategory }: GameDayAccess,
  scannedUnix: number,
): ScanSubject['refusal'] {
  if (statusId === statusIds.cancelled) return 'cancelled';
  const hasEnded = expiresUnix !== null && expiresUnix <= scannedUnix;
  if (statusId === statusIds.unpaid || hasEnded) return 'unpaid';
  return byType || byCategory ? undefined : 'invalid';
}
