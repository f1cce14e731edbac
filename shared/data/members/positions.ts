import { createdUnixOf, idText } from '../../domain/ids.ts';
import { type FilteredMember, type MemberPlan, memberSortKey } from '../../domain/members/filters.ts';
import { packFields, unpackFields } from '../../domain/members/packed-filters.ts';
import { positionChangePut, type SortKeys } from '../positions/change.ts';
import { type KeyList, keyAt, keysInOrder } from '../positions/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

interface PositionedMember extends FilteredMember {
  readonly memberId: number;
  readonly version: number;
}

/** Between the sort key and the fields. No field contains it. */
const separator = '|';

/**
 * The positions of a member: by id, and by last update. The fields that filters compare follow the sort key, so the keys are
 * all that a list with several filters has to read (ADR 0033).
 */
export function memberPositions(member: PositionedMember): SortKeys {
  const keyIn = (index: 'all' | 'updated'): string =>
    [memberSortKey({ index }, member), packFields(member)].join(separator);
  return { all: keyIn('all'), updated: keyIn('updated') };
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

/** A member as the key of its position describes it. */
export interface MemberPosition extends FilteredMember {
  readonly id: number;
  readonly sortKey: string;
}

interface MemberKeys {
  readonly orgId: string;
  readonly plan: MemberPlan;
  /** Only members after this sort key. */
  readonly after?: string | undefined;
}

/** Greater than every character of a key. */
const lastCharacter = '\u{10ffff}';

function keyList({ orgId, plan, after }: MemberKeys): KeyList {
  const list = plan.index === 'updated' ? 'updated' : 'all';
  const from = after === undefined || after < plan.from ? plan.from : `${after}${lastCharacter}`;
  return { orgId, resource: 'members', list, descending: false, from, to: `${plan.to}${lastCharacter}` };
}

/** Yields the members that match all filters of a plan, in its order. `first` is how many keys are certainly needed. */
export async function* matchingPositions(
  table: Table,
  keys: MemberKeys,
  first: number,
): AsyncGenerator<readonly MemberPosition[]> {
  for await (const part of keysInOrder(table, keyList(keys), { first })) {
    yield part.map(parsePosition).filter(keys.plan.matches);
  }
}

/** Returns the sort key of the member at an index of a plan whose list has no other filters than its range. */
export async function sortKeyAt(table: Table, keys: MemberKeys, index: number): Promise<string | undefined> {
  return (await keyAt(table, keyList(keys), index))?.split(separator)[0];
}

const idDigits = idText(0).length;

function parsePosition(key: string): MemberPosition {
  const [sortKey = '', fields = ''] = key.split(separator);
  const id = Number(sortKey.slice(-idDigits));
  // The key in the order of ids does not have the time of the update, and its lists do not compare it.
  const updatedUnix = sortKey.length === idDigits ? null : Number.parseInt(sortKey, 10);
  return { id, sortKey, createdUnix: createdUnixOf(id), updatedUnix, ...unpackFields(fields) };
}
