import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { positionChangePut } from '../positions/change.ts';
import { diffItems } from '../table/diff-items.ts';
import { personHash } from '../table/hash-key.ts';
import { customerKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { labelled, type TransactItem, transact } from '../table/transact.ts';
import { formerAddressPuts } from './former-addresses.ts';
import { customerViews, uniqueItems } from './items.ts';
import { customerPositions } from './positions.ts';
import { type CustomerItem, customerRow } from './row.ts';

/** A customer as it was read, undefined if it did not exist, and as it is to be written. */
export interface CustomerChange {
  readonly before: CustomerRecord | undefined;
  readonly after: CustomerRecord;
  /** Further items of the transaction, for the caller. */
  readonly callerItems?: readonly TransactItem[] | undefined;
}

/**
 * `raced`: another writer changed the row after it was read; read it again. `taken`: another customer has a unique value.
 * `caller_refused`: the condition of one of the caller's items failed.
 */
export type WriteResult = 'written' | 'raced' | 'taken' | 'caller_refused';

/**
 * Writes the row, its unique values, its views and the change of its positions in one transaction, on the condition that the row has not changed since it was
 * read. The views need no condition, because the row in the same transaction has one.
 */
export async function writeCustomer(table: Table, orgId: string, change: CustomerChange): Promise<WriteResult> {
  const { callerItems = [] } = change;
  const refusals = await transact(table, [
    ...(await customerWrites(table, orgId, change)),
    ...labelled('caller', callerItems),
  ]);
  if (refusals.length === 0) return 'written';
  const isRefused = (label: string) => refusals.some((refusal) => refusal.label === label);
  if (isRefused('caller')) return 'caller_refused';
  return isRefused('row') ? 'raced' : 'taken';
}

/** The writes of a customer. */
export async function customerWrites(
  table: Table,
  orgId: string,
  { before, after }: Pick<CustomerChange, 'before' | 'after'>,
): Promise<TransactItem[]> {
  const hash = await personHash(table);
  const unique = diffItems(uniqueItems(orgId, after, hash), before && uniqueItems(orgId, before, hash));
  const views = diffItems(customerViews(orgId, after, hash), before && customerViews(orgId, before, hash));
  const free = unique.put.map((item) => put(table, item, { ConditionExpression: 'attribute_not_exists(pk)' }));
  return [
    { ...put(table, customerRow(orgId, after), unchangedSince(before)), label: 'row' },
    ...free,
    ...views.put.map((item) => put(table, item)),
    ...(await formerAddressPuts(table, orgId, { before, after })),
    ...[...unique.remove, ...views.remove].map((key) => ({ Delete: { TableName: table.name, Key: key } })),
    ...positionChangePut(table, orgId, 'customers', {
      id: after.userId,
      version: after.version,
      before: before && customerPositions(before),
      after: customerPositions(after),
    }),
  ];
}

/** Refuses a transaction if the customer has changed since it was read. */
export function customerCheck(table: Table, orgId: string, customer: CustomerRecord): TransactItem {
  const Key = customerKey(orgId, customer.userId);
  return { ConditionCheck: { TableName: table.name, Key, ...unchangedSince(customer) } };
}

function put(
  table: Table,
  item: CustomerItem,
  condition: Pick<NonNullable<TransactItem['Put']>, 'ConditionExpression' | 'ExpressionAttributeValues'> = {},
): TransactItem {
  return { Put: { TableName: table.name, Item: item, ...condition } };
}

function unchangedSince(before: CustomerRecord | undefined) {
  return before === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': before.version } };
}
