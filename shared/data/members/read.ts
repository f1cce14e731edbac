import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { MemberPlan } from '../../domain/members/filters.ts';
import { getItem } from '../table/get-item.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type MemberRecord, memberIndexNames, memberPartition, parseMember } from './row.ts';

export async function readMember(table: Table, orgId: string, memberId: number): Promise<MemberRecord | undefined> {
  const item = await getItem(table, memberKey(orgId, memberId), { consistent: true });
  return item === undefined ? undefined : parseMember(item);
}

export interface MemberPage {
  readonly members: readonly MemberRecord[];
  /** The sort key after which the next page begins; undefined if there is no further member. */
  readonly next: string | undefined;
}

export interface MemberRow {
  readonly member: MemberRecord;
  /** The row's sort key in the index that was read. */
  readonly sortKey: string;
}

export interface Chunk {
  readonly rows: readonly MemberRow[];
  /** Whether the index has no more rows after these. Without a row there would be no key after which to go on. */
  readonly isLast: boolean;
}

interface ChunkRequest {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  /** How many rows to read at most; by default as many as one Query returns. */
  readonly limit?: number;
}

/** Reads the next rows of the plan's index with one Query. The plan's other filters are not applied yet. */
export async function readChunk(table: Table, { orgId, plan, after, limit }: ChunkRequest): Promise<Chunk> {
  // A key followed by a zero byte is the lowest key that is greater than it, in an index as in the table.
  const from = after === undefined || after < plan.from ? plan.from : `${after}\u0000`;
  if (from > plan.to) return { rows: [], isLast: true };
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
  return { rows, isLast: LastEvaluatedKey === undefined || rows.length === 0 };
}
