import { isDeepStrictEqual } from 'node:util';
import { isAccessChanged, ownSeat } from '../../domain/members/own-seat.ts';
import { memberOwner, rowName } from '../../domain/seats/seat-moves.ts';
import { changeSeats, type HeldSeat } from '../seats/rows.ts';
import { memberSeatRowKey } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import { labelled, type TransactItem } from '../table/transact.ts';
import type { MemberRecord } from './row.ts';

/** The label of the rows of members' seats. */
export const seatLabel = 'seat';

interface Change {
  readonly before: MemberRecord | undefined;
  readonly after: MemberRecord;
}

/**
 * The rows of the members' map that changes of members write: the seats that they take and return, so a seat has one member. A row is
 * also written when something changes by which a seat is the member's at events: whoever enters seats into an event does so on the row
 * as it was read, and the stream announces every write. Those who were bought together often sit in one row, which is written once.
 */
export function ownSeatItems(table: Table, orgId: string, changes: readonly Change[]): readonly TransactItem[] {
  const rows = new Map<string, { key: ReturnType<typeof memberSeatRowKey>; takes: HeldSeat[]; returns: HeldSeat[] }>();
  const rowOf = ({ mapId, section, row }: NonNullable<ReturnType<typeof ownSeat>>) => {
    const name = `${mapId}/${rowName({ section, row })}`;
    const known = rows.get(name) ?? { key: memberSeatRowKey(orgId, mapId, section, row), takes: [], returns: [] };
    rows.set(name, known);
    return known;
  };
  for (const { before, after } of changes) {
    const [was, is] = [before && ownSeat(before), ownSeat(after)];
    const owner = memberOwner(after.memberId);
    if (isDeepStrictEqual(was, is)) {
      if (is !== undefined && before !== undefined && isAccessChanged(before, after)) rowOf(is);
    } else {
      if (was !== undefined) rowOf(was).returns.push({ label: was.label, owner });
      if (is !== undefined) rowOf(is).takes.push({ label: is.label, owner });
    }
  }
  return labelled(
    seatLabel,
    [...rows.values()].map(({ key, ...change }) => changeSeats(table, key, change)),
  );
}
