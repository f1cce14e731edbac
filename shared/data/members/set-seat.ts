import { namedSeat, ownSeat } from '../../domain/members/own-seat.ts';
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
import { commitMember, type MemberChange, withFields } from './change.ts';
import { readMember } from './read.ts';
import type { MemberRecord } from './row.ts';

export type SetSeat =
  | { readonly outcome: 'changed' | 'unchanged'; readonly member: MemberRecord }
  /** There is no such member; the category of the membership has no map with seats. */
  | { readonly outcome: 'missing' | 'no_map' }
  | { readonly outcome: 'refused'; readonly refusal: SeatRefusal };

interface SeatOfMember {
  readonly memberId: number;
  /** The full name on the map of the member's category; null frees the seat. */
  readonly seat: string | null;
  readonly nowUnix: number;
}

const noSeat = {
  ...{ ownSeatMapId: null, seatId: null, seatSection: null, seatAisle: null },
  ...{ seatRow: null, seatLevel: null, seatGate: null, seatTitle: null },
} as const;

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
    const isOwn =
      seat !== null && before.ownSeatMapId === before.seatMapId && ownSeat(before) && namedSeat(before) === seat;
    if (isOwn) return { outcome: 'unchanged', member: before };
    const fields = seat === null ? noSeat : await seatFields(table, orgId, before.seatMapId, seat);
    if (fields === undefined) return { outcome: 'no_map' };
    if ('refusal' in fields) return { outcome: 'refused', refusal: fields.refusal };
    const after = withFields(before, fields, nowUnix);
    if (after === before) return { outcome: 'unchanged', member: before };
    const result = await commitMember(table, orgId, { before, after }, sideEffects);
    return result === 'written' ? { outcome: 'changed', member: after } : undefined;
  });
}

/** Undefined if there is no map with seats. */
async function seatFields(
  table: Table,
  orgId: string,
  mapId: number | null,
  seat: string,
): Promise<Partial<MemberRecord> | { readonly refusal: SeatRefusal } | undefined> {
  const record = mapId === null ? undefined : await readSeatMap(table, orgId, mapId);
  const map = record && (await readMapVersion(table, orgId, record.seatMapId, record.mapVersion));
  if (record === undefined || map === undefined) return undefined;
  const keyAt = (section: string, row: string) => memberSeatRowKey(orgId, record.seatMapId, section, row);
  const refusal = takeProblem([seat], await readSeenRowsAt(table, keyAt, { map, names: [seat] }));
  if (refusal !== undefined) return { refusal };
  const { section, row, label } = parseSeatName(seat) ?? { section: '', row: '', label: '' };
  return { ...noSeat, ownSeatMapId: record.seatMapId, seatSection: section, seatRow: row, seatTitle: label };
}
