import * as v from 'valibot';
import { memberStatusIds } from '../../domain/members/status.ts';
import { type TermRecord, type TermState, termStates } from '../../domain/members/term.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import { termKey, termsPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { nullable, storedEnum } from '../table/row.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** A state that only a later release knows is read as one that gives no access. */
const StoredTerm = v.object({
  termId: v.number(),
  memberId: v.number(),
  typeId: v.number(),
  fromUnix: v.number(),
  untilUnix: v.nullable(v.number()),
  orderId: v.number(),
  priceMinor: v.number(),
  currency: v.string(),
  state: storedEnum(termStates, 'cancelled'),
  replacesTermId: nullable(v.number()),
  isComplimentary: v.optional(v.boolean()),
  provesPrices: v.optional(v.boolean()),
  before: v.optional(
    v.nullable(
      v.object({
        expiresUnix: v.nullable(v.number()),
        orderId: v.nullable(v.string()),
        typeId: v.nullable(v.number()),
        statusId: storedEnum(memberStatusIds, 0),
      }),
    ),
    null,
  ),
});

/** The writes of new terms, for the transaction of the order that sells them. */
export function termPuts(table: Table, orgId: string, terms: readonly TermRecord[]): readonly TransactItem[] {
  return terms.map((term) => ({
    Put: {
      TableName: table.name,
      Item: { ...termKey(orgId, term.memberId, term.termId), ...term },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }));
}

/** The writes that end the terms of memberships, for the transaction that ends the memberships. */
export function termEnds(
  table: Table,
  orgId: string,
  memberships: readonly OrderMembership[],
  state: Exclude<TermState, 'active'>,
): readonly TransactItem[] {
  return memberships.map(({ memberId, termId }) => ({
    Update: {
      TableName: table.name,
      Key: termKey(orgId, memberId, termId),
      UpdateExpression: 'SET #state = :state',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': state },
    },
  }));
}

/** Reads all terms of a member, the first to begin first. */
export async function termsOfMember(
  table: Table,
  orgId: string,
  memberId: number,
  { consistent = true }: ReadOptions = {},
): Promise<readonly TermRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': termsPartition(orgId, memberId) },
    ConsistentRead: consistent,
  });
  return items
    .map((item) => v.parse(StoredTerm, item))
    .toSorted((one, other) => one.fromUnix - other.fromUnix || one.termId - other.termId);
}
