import { namedSeat, noSeat, ownSeat } from '../../domain/members/own-seat.ts';
import { isCancelledMember } from '../../domain/members/status.ts';
import type { SeatRefusal } from '../../domain/seats/refusals.ts';
import { parseSeatName } from '../../domain/seats/seat-moves.ts';
import { takeProblem } from '../../domain/seats/seen-rows.ts';
import { readSeatMap } from '../membership/config.ts';
import { readMapVersion } from '../seat-maps/seat-maps.ts';
import { readSeenRowsAt } from '../seats/rows.ts';
import { retryRaces } from '../table/retry.ts';
import { memberSeatRowKey } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { commitMember, type MemberChange, type MemberFields, withFields } from './change.ts';
import { readMember } from './read.ts';
import type { MemberRecord } from './row.ts';

export type SetSeat =
  | { readonly outcome: 'changed' | 'unchanged'; readonly member: MemberRecord }
  /** There is no such member; it is cancelled, which is final; the category of the membership has no map with seats. */
  | { readonly outcome: 'missing' | 'cancelled' | 'no_map' }
  | { readonly outcome: 'refused'; readonly refusal: SeatRefusal };

interface SeatOfMember {
  readonly memberId: number;
  /** The full name on the map of the member's category; null frees the seat. */
  readonly seat: string | null;
  readonly nowUnix: number;
}

/** Gives a member a seat of their own on the map of their membership category. No other member can have it. */
export function setMemberSeat(
  table: Table,
  orgId: string,
  { memberId, seat, nowUnix }: SeatOfMember,
  sideEffects: SideEffects<MemberChange>,
): Promise<SetSeat> {
  return retryRaces('member', async (): Promise<SetSeat | undefined> => {
    const before = await readMember(table, orgId, memberId);
    if (before === undefined) return { outcome: 'missing' };
    const fields = seat === null ? noSeat : await seatFields(table, orgId, before, seat);
    if ('outcome' in fields) return fields;
    const after = withFields(before, fields, nowUnix);
    if (after === before) return { outcome: 'unchanged', member: before };
    const result = await commitMember(table, orgId, { before, after }, sideEffects);
    return result === 'written' ? { outcome: 'changed', member: after } : undefined;
  });
}

/** The fields of a member with this seat, or why the member does not get it. */
async function seatFields(
  table: Table,
  orgId: string,
  member: MemberRecord,
  seat: string,
): Promise<Partial<MemberFields> | SetSeat> {
  const { seatMapId, ownSeatMapId } = member;
  if (isCancelledMember(member)) return { outcome: 'cancelled' };
  if (ownSeatMapId === seatMapId && ownSeat(member) && namedSeat(member) === seat) return {};
  const record = seatMapId === null ? undefined : await readSeatMap(table, orgId, seatMapId);
  const map = record && (await readMapVersion(table, orgId, record.seatMapId, record.mapVersion));
  if (record === undefined || map === undefined) return { outcome: 'no_map' };
  const keyAt = (section: string, row: string) => memberSeatRowKey(orgId, record.seatMapId, section, row);
  const refusal = takeProblem([seat], await readSeenRowsAt(table, keyAt, { map, names: [seat] }));
  if (refusal !== undefined) return { outcome: 'refused', refusal };
  const { section, row, label } = parseSeatName(seat) ?? { section: '', row: '', label: '' };
  return { ...noSeat, ownSeatMapId: record.seatMapId, seatSection: section, seatRow: row, seatTitle: label };
}
