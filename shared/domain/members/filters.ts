import { idRange, idText } from '../ids.ts';

/** The filters of a list of members. All times are Unix seconds, and all bounds are exclusive. */
export interface MemberFilters {
  readonly updatedSince?: number | undefined;
  readonly updatedUntil?: number | undefined;
  readonly createdSince?: number | undefined;
  readonly createdUntil?: number | undefined;
  readonly fulfilled?: 'yes' | 'no' | undefined;
  readonly statusId?: number | undefined;
  readonly typeId?: number | undefined;
  readonly seatMapId?: number | undefined;
}

/** The fields of a member that the filters use. */
export interface FilteredMember {
  readonly createdUnix: number;
  readonly updatedUnix: number | null;
  readonly fulfilled: 'yes' | 'no';
  readonly statusId: number;
  readonly typeId: number | null;
  readonly seatMapId: number | null;
}

/** A member that was never updated counts as updated when it was created. */
export function effectiveUpdatedUnix(member: Pick<FilteredMember, 'createdUnix' | 'updatedUnix'>): number {
  return member.updatedUnix ?? member.createdUnix;
}

const paidStatus = 1;

export type MemberIndex = 'all' | 'updated' | 'status' | 'type' | 'fulfilled' | 'seat-map';

export interface MemberPlan {
  readonly index: MemberIndex;
  /** The partition of the index that is read: a status, a type …; empty if the index has only one. */
  readonly value: string;
  readonly from: string;
  readonly to: string;
  /** The filters that the index does not apply. If there are none, every row that is read is returned. */
  readonly otherFilters: readonly MemberTest[];
  /** Applies all filters, for rows that were not read from an index. */
  readonly matches: MemberTest;
  /** The range of ids for the times of creation. */
  readonly ids: { readonly from: string; readonly to: string };
}

export type MemberTest = (member: FilteredMember) => boolean;

/**
 * Each request reads one index, because a member that moves between two indexes while both are read could be missed. The most
 * selective index is chosen first: time of update, the rare statuses, type, seat map, fulfilment, paid.
 */
export function planMembers(filters: MemberFilters): MemberPlan {
  const index = chooseIndex(filters);
  const applied = tests.filter(({ applies }) => applies(filters));
  const otherFilters = applied
    .filter(({ appliedBy }) => !appliedBy.includes(index))
    .map(
      ({ passes }) =>
        (member: FilteredMember) =>
          passes(filters, member),
    );
  return {
    index,
    value: indexValue(index, filters),
    ...rangeOf(index, filters),
    otherFilters,
    matches: (member) => applied.every(({ passes }) => passes(filters, member)),
    ids: idRange(filters.createdSince, filters.createdUntil),
  };
}

/** The position of a member in the list of a plan. */
export function memberSortKey({ index }: Pick<MemberPlan, 'index'>, member: FilteredMember & MemberId): string {
  const id = idText(member.memberId);
  return index === 'updated' ? updatedSortKey(effectiveUpdatedUnix(member), id) : id;
}

interface MemberId {
  readonly memberId: number;
}

function chooseIndex({
  updatedSince,
  updatedUntil,
  statusId,
  typeId,
  seatMapId,
  fulfilled,
}: MemberFilters): MemberIndex {
  if (updatedSince !== undefined || updatedUntil !== undefined) return 'updated';
  if (statusId !== undefined && statusId !== paidStatus) return 'status';
  if (typeId !== undefined) return 'type';
  if (seatMapId !== undefined) return 'seat-map';
  if (fulfilled !== undefined) return 'fulfilled';
  return statusId === undefined ? 'all' : 'status';
}

function indexValue(index: MemberIndex, { statusId, typeId, seatMapId, fulfilled }: MemberFilters): string {
  const values = { all: '', updated: '', status: statusId, type: typeId, 'seat-map': seatMapId, fulfilled };
  return String(values[index]);
}

/** Ids start with the second of creation, so in an index that is sorted by id a time of creation is a range of keys. */
function rangeOf(index: MemberIndex, filters: MemberFilters): { from: string; to: string } {
  if (index !== 'updated') return idRange(filters.createdSince, filters.createdUntil);
  const { updatedSince = -1, updatedUntil = latestUnix } = filters;
  return {
    from: updatedSortKey(Math.min(updatedSince + 1, latestUnix), ''),
    to: updatedSortKey(Math.max(0, updatedUntil - 1), '\uffff'),
  };
}

/** The last second with ten digits. No member is ever updated in it. */
const latestUnix = 9_999_999_999;

/** The sort key of a member in the index by last update. */
export function updatedSortKey(unix: number, id: string): string {
  return `${String(unix).padStart(10, '0')}#${id}`;
}

interface FilterTest {
  readonly appliedBy: readonly MemberIndex[];
  readonly applies: (filters: MemberFilters) => boolean;
  readonly passes: (filters: MemberFilters, member: FilteredMember) => boolean;
}

const byId: readonly MemberIndex[] = ['all', 'status', 'type', 'fulfilled', 'seat-map'];

/** Every filter as a test of one member. This is the definition that all indexes must match. */
const tests: readonly FilterTest[] = [
  {
    appliedBy: ['updated'],
    applies: ({ updatedSince }) => updatedSince !== undefined,
    passes: ({ updatedSince = 0 }, member) => effectiveUpdatedUnix(member) > updatedSince,
  },
  {
    appliedBy: ['updated'],
    applies: ({ updatedUntil }) => updatedUntil !== undefined,
    passes: ({ updatedUntil = 0 }, member) => effectiveUpdatedUnix(member) < updatedUntil,
  },
  {
    appliedBy: byId,
    applies: ({ createdSince }) => createdSince !== undefined,
    passes: ({ createdSince = 0 }, member) => member.createdUnix > createdSince,
  },
  {
    appliedBy: byId,
    applies: ({ createdUntil }) => createdUntil !== undefined,
    passes: ({ createdUntil = 0 }, member) => member.createdUnix < createdUntil,
  },
  {
    appliedBy: ['status'],
    applies: ({ statusId }) => statusId !== undefined,
    passes: ({ statusId }, member) => member.statusId === statusId,
  },
  {
    appliedBy: ['type'],
    applies: ({ typeId }) => typeId !== undefined,
    passes: ({ typeId }, member) => member.typeId === typeId,
  },
  {
    appliedBy: ['seat-map'],
    applies: ({ seatMapId }) => seatMapId !== undefined,
    passes: ({ seatMapId }, member) => member.seatMapId === seatMapId,
  },
  {
    appliedBy: ['fulfilled'],
    applies: ({ fulfilled }) => fulfilled !== undefined,
    passes: ({ fulfilled }, member) => member.fulfilled === fulfilled,
  },
];
