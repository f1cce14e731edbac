import { nameIndexes } from '../customers/items.ts';
import { eventList } from '../events/positions.ts';
import { listedPartition, statusPartition } from '../events/row.ts';
import { memberList } from '../members/positions.ts';
import { memberIndexNames, memberPartition } from '../members/row.ts';
import { allOrders } from '../orders/positions.ts';
import { customersPartition, customerViewPartition, type PositionedResource } from '../table/keys.ts';

/** Where the rows of a list are, in its order. */
export interface ListRange {
  readonly partition: string;
  readonly index?: `by${1 | 2 | 3 | 4 | 5}`;
}

/** The lists with position trees that an organisation always has. Members have more: one for each value of a filter. */
export const usualLists: Readonly<Record<PositionedResource, readonly string[]>> = {
  customers: ['added', 'email', 'first', 'last', 'updated'],
  events: [eventList(undefined), ...([0, 1, 2, 3] as const).map(eventList)],
  members: [memberList('all', ''), memberList('updated', '')],
  orders: [allOrders],
};

/** Returns where the rows of a list are; undefined if there is no such list. The orders of all events are in no range. */
export function listRange(
  orgId: string,
  resource: Exclude<PositionedResource, 'orders'>,
  list: string,
): ListRange | undefined {
  switch (resource) {
    case 'customers':
      return customerRange(orgId, list);
    case 'events':
      return eventRange(orgId, list);
    case 'members':
      return memberRange(orgId, list);
  }
}

function customerRange(orgId: string, list: string): ListRange | undefined {
  switch (list) {
    case 'added':
      return { partition: customersPartition(orgId) };
    case 'updated':
      return { partition: customersPartition(orgId), index: 'by1' };
    case 'first':
    case 'last':
      return { partition: customerViewPartition(orgId, list), index: nameIndexes[list] };
    case 'email':
      return { partition: customerViewPartition(orgId, list) };
    default:
      return undefined;
  }
}

function eventRange(orgId: string, list: string): ListRange | undefined {
  if (list === eventList(undefined)) return { partition: listedPartition(orgId), index: 'by1' };
  const statusId = ([0, 1, 2, 3] as const).find((one) => eventList(one) === list);
  return statusId === undefined ? undefined : { partition: statusPartition(orgId, statusId), index: 'by2' };
}

function memberRange(orgId: string, list: string): ListRange | undefined {
  const [name = '', value = ''] = list.split('#');
  if (name === 'all') return { partition: memberPartition(orgId, name, '') };
  const index = (['updated', 'status', 'type', 'fulfilled', 'seat-map'] as const).find((one) => one === name);
  return index && { partition: memberPartition(orgId, index, value), index: memberIndexNames[index] };
}
