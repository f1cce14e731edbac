import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { positionChangePut } from '../positions/change.ts';
import { diffItems } from '../table/diff-items.ts';
import { isConditionFailure, isTableUnavailable } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { customerClaims, customerViews } from './items.ts';
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
 * `raced`: another writer changed the row after it was read; read it again. `claimed`: a unique value is taken.
 * `caller_refused`: the condition of one of the caller's items failed.
 */
export type WriteResult = 'written' | 'raced' | 'claimed' | 'caller_refused';

/**
 * Writes the row, its claims, its views and the change of its positions in one transaction, on the condition that the row has not changed since it was
 * read. The views need no condition, because the row in the same transaction has one.
 */
export async function writeCustomer(table: Table, orgId: string, change: CustomerChange): Promise<WriteResult> {
  const { callerItems = [] } = change;
  const transaction = [...customerWrites(table, orgId, change), ...callerItems];
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: transaction }));
    return 'written';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    // A cancelled transaction has written nothing. After a lost response the outcome is unknown: the caller repeats the save.
    if (!isConditionFailure(error) && !isTableUnavailable(error)) throw error;
    return refusedBy(error, callerItems.length);
  }
}

/** The writes of a customer, the row first. */
export function customerWrites(
  table: Table,
  orgId: string,
  { before, after }: Pick<CustomerChange, 'before' | 'after'>,
): TransactItem[] {
  const claims = diffItems(customerClaims(orgId, after), before && customerClaims(orgId, before));
  const views = diffItems(customerViews(orgId, after), before && customerViews(orgId, before));
  const free = claims.put.map((item) => put(table, item, { ConditionExpression: 'attribute_not_exists(pk)' }));
  return [
    put(table, customerRow(orgId, after), unchangedSince(before)),
    ...free,
    ...views.put.map((item) => put(table, item)),
    ...[...claims.remove, ...views.remove].map((key) => ({ Delete: { TableName: table.name, Key: key } })),
    ...positionChangePut(table, orgId, 'customers', {
      id: after.userId,
      version: after.version,
      before: before && customerPositions(before),
      after: customerPositions(after),
    }),
  ];
}

/** The caller's items are the last of the transaction. */
function refusedBy({ CancellationReasons = [] }: TransactionCanceledException, callerCount: number): WriteResult {
  const reasons = CancellationReasons.map(({ Code }) => Code);
  const ofCaller = callerCount === 0 ? [] : reasons.slice(-callerCount);
  if (ofCaller.includes('ConditionalCheckFailed')) return 'caller_refused';
  const [row, ...others] = reasons;
  return row === 'None' && others.includes('ConditionalCheckFailed') ? 'claimed' : 'raced';
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
