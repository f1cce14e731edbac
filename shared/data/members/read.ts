import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { MemberPlan } from '../../domain/members/filters.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type MemberRecord, memberIndexNames, memberPartition, parseMember } from './row.ts';

export async function readMember(table: Table, orgId: string, memberId: number): Promise<MemberRecord | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: memberKey(orgId, memberId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : parseMember(Item);
}

export interface MemberRow {
  readonly member: MemberRecord;
  /** Where the row stands in the index that was read: reading goes on after it. */
  readonly sortKey: string;
}

export interface Chunk {
  readonly rows: readonly MemberRow[];
  /** Whether the index has nothing after these. */
  readonly ended: boolean;
}

interface TimeSpan {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  /** How many rows to read at most; without it as many as one answer of the table holds. */
  readonly limit?: number;
}

/** One Query on the plan's index: the next rows after a place, before the plan's other filters are applied. */
export async function readChunk(table: Table, { orgId, plan, after, limit }: TimeSpan): Promise<Chunk> {
  // The byte after a key is the least that is greater than it, in an index just as in the table itself.
  const from = after === undefined || after < plan.from ? plan.from : `${after}\u0000`;
  if (from > plan.to) return { rows: [], ended: true };
  const name = plan.index === 'all' ? undefined : memberIndexNames[plan.index];
  const [pk, sk] = name === undefined ? ['pk', 'sk'] : [`${name}pk`, `${name}sk`];
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...(name !== undefined && { IndexName: name }),
      ...(limit !== undefined && { Limit: limit }),
      KeyConditionExpression: `${pk} = :pk AND ${sk} BETWEEN :from AND :to`,
      ExpressionAttributeValues: {
        ':pk': memberPartition(orgId, plan.index, plan.value),
        ':from': from,
        ':to': plan.to,
      },
    }),
  );
  const rows = Items.map((item) => ({ member: parseMember(item), sortKey: String(item[sk]) }));
  return { rows, ended: LastEvaluatedKey === undefined };
}
