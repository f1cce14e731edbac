import { idRange } from '../ids.ts';

/** What a list of members can be narrowed by. All times are Unix seconds, and all bounds are strict. */
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

/** What of a member the filters look at. */
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

const paid = 1;

export type MemberIndex = 'all' | 'updated' | 'status' | 'type' | 'fulfilled' | 'seat-map';

export interface MemberPlan {
  readonly index: MemberIndex;
  /** The part of the index that is read: a status, a type …; empty where the index is not divided. */
  readonly value: string;
  readonly from: string;
  readonly to: string;
  /** The filters that the index does not answer; none means that every row read is a row returned. */
  readonly rest: readonly Test[];
}

export type Test = (member: FilteredMember) => boolean;

/**
 * One index answers each request, because a member that moves between two while both are read could be missed. The order
 * goes from what narrows most to what narrows least: times of update, the rare statuses, type, seat map, fulfilment, paid.
 */
export function planMembers(filters: MemberFilters): MemberPlan {
  const index = chooseIndex(filters);
  const rest = tests
    .filter(({ answeredBy, applies }) => applies(filters) && !answeredBy.includes(index))
    .map(
      ({ passes }) =>
        (member: FilteredMember) =>
          passes(filters, member),
    );
  return { index, value: indexValue(index, filters), ...rangeOf(index, filters), rest };
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
  if (statusId !== undefined && statusId !== paid) return 'status';
  if (typeId !== undefined) return 'type';
  if (seatMapId !== undefined) return 'seat-map';
  if (fulfilled !== undefined) return 'fulfilled';
  return statusId === undefined ? 'all' : 'status';
}

function indexValue(index: MemberIndex, { statusId, typeId, seatMapId, fulfilled }: MemberFilters): string {
  const values = { all: '', updated: '', status: statusId, type: typeId, 'seat-map': seatMapId, fulfilled };
  return String(values[index]);
}

/** Ids begin with the second of creation, so where rows are in the order of ids a time of creation is a range of keys. */
function rangeOf(index: MemberIndex, filters: MemberFilters): { from: string; to: string } {
  if (index !== 'updated') return idRange(filters.createdSince, filters.createdUntil);
  const { updatedSince = -1, updatedUntil = latestUnix } = filters;
  return {
    from: updatedSortKey(Math.min(updatedSince + 1, latestUnix), ''),
    to: updatedSortKey(Math.max(0, updatedUntil - 1), '\uffff'),
  };
}

/** The last second that ten digits can name. Nothing is ever updated in it. */
const latestUnix = 9_999_999_999;

/** The place of a member in the order of updates. */
export function updatedSortKey(unix: number, id: string): string {
  return `${String(unix).padStart(10, '0')}#${id}`;
}

interface FilterTest {
  readonly answeredBy: readonly MemberIndex[];
  readonly applies: (filters: MemberFilters) => boolean;
  readonly passes: (filters: MemberFilters, member: FilteredMember) => boolean;
}

const byId: readonly MemberIndex[] = ['all', 'status', 'type', 'fulfilled', 'seat-map'];

/** Every filter as a test of one member: the meaning that all indexes must agree with. */
const tests: readonly FilterTest[] = [
  {
    answeredBy: ['updated'],
    applies: ({ updatedSince }) => updatedSince !== undefined,
    passes: ({ updatedSince = 0 }, member) => effectiveUpdatedUnix(member) > updatedSince,
  },
  {
    answeredBy: ['updated'],
    applies: ({ updatedUntil }) => updatedUntil !== undefined,
    passes: ({ updatedUntil = 0 }, member) => effectiveUpdatedUnix(member) < updatedUntil,
  },
  {
    answeredBy: byId,
    applies: ({ createdSince }) => createdSince !== undefined,
    passes: ({ createdSince = 0 }, member) => member.createdUnix > createdSince,
  },
  {
    answeredBy: byId,
    applies: ({ createdUntil }) => createdUntil !== undefined,
    passes: ({ createdUntil = 0 }, member) => member.createdUnix < createdUntil,
  },
  {
    answeredBy: ['status'],
    applies: ({ statusId }) => statusId !== undefined,
    passes: ({ statusId }, member) => member.statusId === statusId,
  },
  {
    answeredBy: ['type'],
    applies: ({ typeId }) => typeId !== undefined,
    passes: ({ typeId }, member) => member.typeId === typeId,
  },
  {
    answeredBy: ['seat-map'],
    applies: ({ seatMapId }) => seatMapId !== undefined,
    passes: ({ seatMapId }, member) => member.seatMapId === seatMapId,
  },
  {
    answeredBy: ['fulfilled'],
    applies: ({ fulfilled }) => fulfilled !== undefined,
    passes: ({ fulfilled }, member) => member.fulfilled === fulfilled,
  },
];
