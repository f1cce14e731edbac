import { noEventId } from '../../domain/orders/order.ts';
import { entryOf } from '../../domain/scans/entries.ts';
import type { MemberUse } from '../../domain/withdrawals/withdrawal.ts';
import { parsePassages, versionOf } from '../orders/barcode-row.ts';
import { memberPassagesKey, memberPassagesPartition, passagesEventId } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** What a member has used, and the version of the item that every further use changes. */
export interface SeenUse extends MemberUse {
  readonly memberId: number;
  readonly version: number;
}

/** Reads what a member has used, as of now. The passages are what was admitted; the item beside them says what was bought. */
export async function readUse(table: Table, orgId: string, memberId: number): Promise<SeenUse> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': memberPassagesPartition(orgId, memberId) },
    ConsistentRead: true,
  });
  const { sk } = memberPassagesKey(orgId, memberId, noEventId);
  const counter = items.find((item) => item.sk === sk);
  const entries = items.flatMap((item) => entryOf(passagesEventId(item), parsePassages(item)) ?? []);
  return {
    memberId,
    enteredUnix: entries.map(({ atUnix }) => atUnix),
    boughtUnix: typeof counter?.bought === 'number' ? counter.bought : null,
    version: counter === undefined ? 0 : versionOf(counter),
  };
}

/** The write that lets only one of two happen: this transaction, or a further use of the membership. */
export function useEnded(table: Table, orgId: string, { memberId, version }: SeenUse): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: memberPassagesKey(orgId, memberId, noEventId),
      UpdateExpression: 'SET v = :v',
      ConditionExpression: version === 0 ? 'attribute_not_exists(v)' : 'v = :known',
      ExpressionAttributeValues: { ':v': version + 1, ...(version > 0 && { ':known': version }) },
    },
  };
}

/** The write that remembers that a member has bought a price for members, for the transaction of the order. */
export function memberPriceBought(table: Table, orgId: string, memberId: number, nowUnix: number): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: memberPassagesKey(orgId, memberId, noEventId),
      UpdateExpression: 'SET v = if_not_exists(v, :zero) + :one, bought = :now',
      ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':now': nowUnix },
    },
  };
}
