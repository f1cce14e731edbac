import type { EventRecord } from '../../domain/events/event.ts';
import { draftStatus, publishedStatus } from '../../domain/events/event.ts';
import type { SeatAccess } from '../../domain/members/own-seat.ts';
import type { MembershipConfig } from '../membership/config.ts';

/** Which members have their seat at an event. */
export function seatAccessOf(
  { startUnix, seatingMapId }: Pick<EventRecord, 'startUnix' | 'seatingMapId'>,
  { types, categories }: MembershipConfig,
): SeatAccess {
  return {
    mapId: seatingMapId ?? 0,
    startUnix,
    typeIds: new Set([...types.values()].flatMap(({ typeId, gameDayAccess }) => (gameDayAccess === 1 ? [typeId] : []))),
    categoryIds: new Set(
      [...categories.values()].flatMap(({ categoryId, gameDayAccess }) => (gameDayAccess === 1 ? [categoryId] : [])),
    ),
    mapCategoryIds: new Set(
      [...categories.values()].flatMap(({ categoryId, seatMapId }) => (seatMapId === seatingMapId ? [categoryId] : [])),
    ),
  };
}

/** Whether the seats of members are entered into an event: until it starts or ends. */
export function followsMembers(
  { statusId, cancelledUnix, startUnix, seatingMapId }: EventRecord,
  nowUnix: number,
): boolean {
  const isOpen = statusId === draftStatus || statusId === publishedStatus;
  return seatingMapId !== null && isOpen && cancelledUnix === null && startUnix > nowUnix;
}
