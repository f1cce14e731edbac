import { planMembers } from '../../domain/members/filters.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { rowPut } from './change.ts';
import { everyMember } from './list.ts';
import { ownSeatItems } from './own-seats.ts';
import { memberPositionPut } from './positions.ts';
import { readMember } from './read.ts';
import type { MemberRecord } from './row.ts';

/** The fields of a membership type that each member contains a copy of, so a page of members needs no second read. */
export interface MemberTypeCopy {
  readonly typeId: number;
  readonly typeTitle: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly seatMapId: number | null;
}

const concurrency = 16;

/**
 * Updates the copies in the members of a type after its title, category or seat map changed. A repeat is harmless, and
 * members that are up to date are not written. This is not a change of the member, so `updatedUnix` does not change.
 */
export async function refreshMembersOfType(table: Table, orgId: string, type: MemberTypeCopy): Promise<number> {
  let refreshed = 0;
  for await (const chunk of everyMember(table, orgId, planMembers({ typeId: type.typeId }))) {
    for (let start = 0; start < chunk.length; start += concurrency) {
      const written = await Promise.all(
        chunk
          .slice(start, start + concurrency)
          .map((known) => refreshMember(table, orgId, known.memberId, { type, known })),
      );
      refreshed += written.filter(Boolean).length;
    }
  }
  return refreshed;
}

/** Updates the copies in one member. `known` is the member as it was just read; without it, the current row is read. */
export function refreshMember(
  table: Table,
  orgId: string,
  memberId: number,
  { type, known }: { readonly type: MemberTypeCopy; readonly known?: MemberRecord },
): Promise<boolean> {
  return retryRaces('member', async (attempt) => {
    const current = attempt === 1 && known !== undefined ? known : await readMember(table, orgId, memberId);
    if (current?.typeId !== type.typeId || isUpToDate(current, type)) return false;
    const change = { before: current, after: { ...current, ...type, version: current.version + 1 } };
    const refusals = await transact(table, [
      rowPut(table, orgId, change),
      ...memberPositionPut(table, orgId, change),
      ...ownSeatItems(table, orgId, [change]),
    ]);
    return refusals.length === 0 ? true : undefined;
  });
}

function isUpToDate(
  member: MemberRecord,
  { typeTitle, categoryId, categoryTitle, seatMapId }: MemberTypeCopy,
): boolean {
  return (
    member.typeTitle === typeTitle &&
    member.categoryId === categoryId &&
    member.categoryTitle === categoryTitle &&
    member.seatMapId === seatMapId
  );
}
