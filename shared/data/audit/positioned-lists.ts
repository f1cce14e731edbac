import { type EventStatus, publishedStatus } from '../../domain/events/event.ts';
import { nameIndexes } from '../customers/items.ts';
import { customerPositions } from '../customers/positions.ts';
import { parseCustomer } from '../customers/row.ts';
import { catalogue, eventList, eventPositions } from '../events/positions.ts';
import { listedPartition, parseEvent, statusPartition } from '../events/row.ts';
import { memberPositions } from '../members/positions.ts';
import { memberIndexNames, memberPartition, parseMember } from '../members/row.ts';
import { memberWordKeys, memberWordTrees } from '../members/words.ts';
import { allOrders, changedOrders } from '../orders/positions.ts';
import type { SortKeys } from '../positions/change.ts';
import { customersPartition, customerViewPartition, type PositionedResource } from '../table/keys.ts';

/** A list with a position tree. */
export interface PositionedList {
  readonly resource: PositionedResource;
  readonly list: string;
  /** Where its rows are, in its order and maybe with others, and their positions; undefined for the orders of all events and the words of members, which are in no range. */
  readonly rows?: {
    readonly partitionOf: (orgId: string) => string;
    readonly index?: `by${1 | 2 | 3 | 4 | 5}`;
    readonly positionsOf: (item: unknown) => SortKeys;
  };
}

const positionsOfCustomer = (item: unknown): SortKeys => customerPositions(parseCustomer(item));
const positionsOfEvent = (item: unknown): SortKeys => eventPositions(parseEvent(item));
const positionsOfMember = (item: unknown): SortKeys => memberPositions(parseMember(item));

/** None of a member that a release without words has written. */
function positionOfWords(item: unknown): SortKeys {
  const keys = memberWordKeys(parseMember(item));
  return keys === undefined ? {} : { members: keys.members };
}

const customerList = (
  list: string,
  rows: Omit<NonNullable<PositionedList['rows']>, 'positionsOf'>,
): PositionedList => ({
  resource: 'customers',
  list,
  rows: { ...rows, positionsOf: positionsOfCustomer },
});

const eventsOfStatus = (list: string, statusId: EventStatus): PositionedList => ({
  resource: 'events',
  list,
  rows: {
    partitionOf: (orgId) => statusPartition(orgId, statusId),
    index: 'by2',
    positionsOf: positionsOfEvent,
  },
});

/** Every list that has a position tree, in the order in which the audit compares them. */
export const positionedLists: readonly PositionedList[] = [
  customerList('added', { partitionOf: customersPartition }),
  customerList('updated', { partitionOf: customersPartition, index: 'by1' }),
  customerList('email', { partitionOf: (orgId) => customerViewPartition(orgId, 'email') }),
  ...(['first', 'last'] as const).map((list) =>
    customerList(list, { partitionOf: (orgId) => customerViewPartition(orgId, list), index: nameIndexes[list] }),
  ),
  {
    resource: 'events',
    list: eventList(undefined),
    rows: { partitionOf: listedPartition, index: 'by1', positionsOf: positionsOfEvent },
  },
  ...([0, 1, 2, 3] as const).map((statusId) => eventsOfStatus(eventList(statusId), statusId)),
  eventsOfStatus(catalogue, publishedStatus),
  ...(['all', 'updated'] as const).map((list) => ({
    resource: 'members' as const,
    list,
    rows: {
      partitionOf: (orgId: string) => memberPartition(orgId, list, ''),
      ...(list === 'updated' && { index: memberIndexNames.updated }),
      positionsOf: positionsOfMember,
    },
  })),
  {
    resource: memberWordTrees,
    list: 'members',
    rows: {
      partitionOf: (orgId: string) => memberPartition(orgId, 'all', ''),
      positionsOf: positionOfWords,
    },
  },
  { resource: memberWordTrees, list: 'words' },
  { resource: 'orders', list: allOrders },
  { resource: 'orders', list: changedOrders },
];
