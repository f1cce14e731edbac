import { type FilteredMember, type MemberIndex, memberSortKey } from '../../domain/members/filters.ts';
import { positionChangePut, type SortKeys } from '../positions/change.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The list of the members in one partition of an index. */
export const memberList = (index: MemberIndex, value: string): string =>
  index === 'all' || index === 'updated' ? index : `${index}#${value}`;

interface PositionedMember extends FilteredMember {
  readonly memberId: number;
  readonly version: number;
}

/** The positions of a member in the lists with at most one filter. */
export function memberPositions(member: PositionedMember): SortKeys {
  const values: readonly (readonly [MemberIndex, string | number | null])[] = [
    ['all', ''],
    ['updated', ''],
    ['status', member.statusId],
    ['type', member.typeId],
    ['fulfilled', member.fulfilled],
    ['seat-map', member.seatMapId],
  ];
  return Object.fromEntries(
    values.flatMap(([index, value]) =>
      value === null ? [] : [[memberList(index, String(value)), memberSortKey({ index }, member)]],
    ),
  );
}

/** The write that records the change of a member's positions; none if it keeps them. */
export function memberPositionPut(
  table: Table,
  orgId: string,
  { before, after }: { readonly before: PositionedMember | undefined; readonly after: PositionedMember },
): TransactItem[] {
  return positionChangePut(table, orgId, 'members', {
    id: after.memberId,
    version: after.version,
    before: before && memberPositions(before),
    after: memberPositions(after),
  });
}
