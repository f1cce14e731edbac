import { randomInt } from 'node:crypto';
import type { IndexedSlice } from '../prices/stock.ts';
import { type DueHint, dueHintItem } from '../table/due-hints.ts';
import { stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** Stocks of an event, slice by slice, as they were read. */
export interface SeenStocks {
  readonly orgId: string;
  readonly eventId: number;
  readonly slices: readonly IndexedSlice[];
}

const ofStock = ({ slices }: SeenStocks, index: number) => slices.filter((one) => one.index === index);

export const isClosedStock = (seen: SeenStocks, index: number): boolean =>
  ofStock(seen, index).some(({ closed }) => closed);

export function leftIn(seen: SeenStocks, index: number): number {
  return ofStock(seen, index).reduce((sum, { avail }) => sum + avail, 0);
}

/** The condition that a slice has the version that was read: its attribute `moves`. */
function hasVersion(version: number) {
  return version === 0
    ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(moves)', values: {} }
    : { ConditionExpression: 'moves = :moves', values: { ':moves': version } };
}

/**
 * The items that close a stock to everyone but those who wait, in all its slices. The first one must not have changed since it was
 * read: it says how many slices there are.
 */
export function closeStock(table: Table, seen: SeenStocks, index: number): TransactItem[] {
  return ofStock(seen, index).map(({ slice, version }) => {
    const { values, ConditionExpression } =
      slice === 0 ? hasVersion(version) : { values: {}, ConditionExpression: 'attribute_exists(pk)' };
    return {
      Update: {
        TableName: table.name,
        Key: stockKey(seen.orgId, seen.eventId, index, slice),
        UpdateExpression: 'SET closed = :closed ADD moves :one',
        ConditionExpression,
        ExpressionAttributeValues: { ':closed': true, ':one': 1, ...values },
      },
    };
  });
}

/** The items that open a stock again. Whoever joins touches a slice of it, so nobody can have joined since it was read. */
export function openStock(table: Table, seen: SeenStocks, index: number): TransactItem[] {
  return ofStock(seen, index).map(({ slice, version }) => {
    const { values, ConditionExpression } = hasVersion(version);
    return {
      Update: {
        TableName: table.name,
        Key: stockKey(seen.orgId, seen.eventId, index, slice),
        UpdateExpression: 'REMOVE closed ADD moves :one',
        ConditionExpression,
        ExpressionAttributeValues: { ':one': 1, ...values },
      },
    };
  });
}

/**
 * The item by which somebody joins or leaves the list of a closed stock: it cannot be opened meanwhile, and the stream's worker looks at
 * the list. The slice is chosen at random, because many people join at once.
 */
export function touchClosedStock(table: Table, seen: SeenStocks, index: number): TransactItem {
  const slices = ofStock(seen, index);
  return {
    Update: {
      TableName: table.name,
      Key: stockKey(seen.orgId, seen.eventId, index, slices[randomInt(slices.length)]?.slice),
      UpdateExpression: 'ADD moves :one',
      ConditionExpression: 'attribute_exists(closed)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
}

/** A list is looked at each hour at least, whatever the stream has missed. */
export const lookSeconds = 3_600;

export function listHint(orgId: string, eventId: number, dueUnix: number): DueHint {
  return { kind: 'waiting', ref: [orgId, String(eventId)], dueUnix };
}

export function listHintPut(table: Table, hint: DueHint): TransactItem {
  return { Put: { TableName: table.name, Item: dueHintItem(hint) } };
}
