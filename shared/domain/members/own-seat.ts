import { seatName } from '../seats/seat-map.ts';
import { isCurrentAt } from './end.ts';
import { isCancelledMember, type MemberStatusId } from './status.ts';

/** What decides where a member sits, and at which events. */
export interface SeatedMember {
  readonly memberId: number;
  /** The map on which the seat is the member's own; null if nobody keeps it: then the fields of the seat are a text. */
  readonly ownSeatMapId: number | null;
  readonly seatSection: string | null;
  readonly seatRow: string | null;
  readonly seatTitle: string | null;
  readonly statusId: MemberStatusId;
  readonly expiresUnix: number | null;
  readonly autoRenew?: boolean | undefined;
  readonly goesOnUntilUnix?: number | undefined;
  readonly typeId: number | null;
  readonly categoryId: number | null;
}

/** The seat that is the member's own on a map; undefined if there is none. */
export function ownSeat({ ownSeatMapId, seatSection, seatRow, seatTitle }: SeatedMember) {
  return ownSeatMapId === null || seatSection === null || seatRow === null || seatTitle === null
    ? undefined
    : { mapId: ownSeatMapId, section: seatSection, row: seatRow, label: seatTitle };
}

/** The name of the seat in the fields of a member; undefined if they do not name one. */
export function namedSeat({
  seatSection,
  seatRow,
  seatTitle,
}: Pick<SeatedMember, 'seatSection' | 'seatRow' | 'seatTitle'>) {
  const parts = [seatSection, seatRow, seatTitle];
  if (parts.some((part) => part === null || part === '' || part.includes('/'))) return undefined;
  return seatName(seatSection ?? '', seatRow ?? '', seatTitle ?? '');
}

/** The fields of a member without a seat. */
export const noSeat = {
  ownSeatMapId: null,
  seatId: null,
  seatSection: null,
  seatAisle: null,
  seatRow: null,
  seatLevel: null,
  seatGate: null,
  seatTitle: null,
} as const;

/**
 * What a cancelled member loses: the seat that was theirs is free for another member. One whose membership has lapsed keeps it: a renewal
 * continues with the same seat. So does one whose refund is pending: if the provider refuses it, the member goes on.
 */
export function freedSeat({
  statusId,
  ownSeatMapId,
  pendingRefund,
}: Pick<SeatedMember, 'statusId' | 'ownSeatMapId'> & { readonly pendingRefund: object | null }) {
  return isCancelledMember({ statusId }) && ownSeatMapId !== null && pendingRefund === null ? noSeat : undefined;
}

/** Whether a change may give the member's seat to somebody else at an event, or take it from them. */
export function isAccessChanged(before: SeatedMember, after: SeatedMember): boolean {
  const names = ['statusId', 'expiresUnix', 'goesOnUntilUnix', 'typeId', 'categoryId'] as const;
  return names.some((name) => before[name] !== after[name]);
}

/** What an event and the membership configuration say about the seats of members. */
export interface SeatAccess {
  readonly mapId: number;
  readonly startUnix: number;
  /** The types and categories with access on game days, and the categories on the map of the event. */
  readonly typeIds: ReadonlySet<number>;
  readonly categoryIds: ReadonlySet<number>;
  readonly mapCategoryIds: ReadonlySet<number>;
}

const paidStatuses: readonly number[] = [1, 2];

/**
 * Whether the seat of a member is theirs at an event when it starts. Stricter than the gate, which is content with the access of the type or
 * the category: a seat is kept for somebody at every match only if both say so.
 */
export function hasSeatAt(member: SeatedMember, { mapId, startUnix, ...access }: SeatAccess): boolean {
  const { statusId, typeId, categoryId, ownSeatMapId } = member;
  return (
    ownSeatMapId === mapId &&
    paidStatuses.includes(statusId) &&
    isCurrentAt(member, startUnix) &&
    typeId !== null &&
    access.typeIds.has(typeId) &&
    categoryId !== null &&
    access.categoryIds.has(categoryId) &&
    access.mapCategoryIds.has(categoryId)
  );
}
