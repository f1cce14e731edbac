import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { type MemberPlan, memberSortKey } from '../../domain/members/filters.ts';
import { memberFiltersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type FilterRow, parseFilterRow } from './filter-row.ts';

export interface FilterQuery {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly after: string | undefined;
  /** How many matching members come before the page, and how many the page has. */
  readonly skip: number;
  readonly limit: number;
}

/** Yields the sort keys of the matching members after a position, in the order of the list. */
export function matchesInOrder(table: Table, query: FilterQuery): AsyncGenerator<readonly string[]> {
  return query.plan.index === 'updated' ? matchesInUpdateOrder(table, query) : matchesInIdOrder(table, query);
}

/** The first Query reads at least this many rows, about 20 read units; the following ones a megabyte each, 128 units. */
const firstRows = 2_000;
/** More than a megabyte holds, so a larger number changes nothing. DynamoDB refuses a Limit beyond 32 bits. */
const maxFirstRows = 100_000;

/** Yields the sort keys of the matching members after a position, in the order of their ids. */
async function* matchesInIdOrder(table: Table, query: FilterQuery): AsyncGenerator<readonly string[]> {
  const { plan, after, skip, limit } = query;
  const from = after === undefined || after < plan.ids.from ? plan.ids.from : `${after}\u0000`;
  const first = Math.min(Math.max(firstRows, skip + limit + 1), maxFirstRows);
  for await (const rows of readFilterRows(table, query, { from, first })) {
    yield matching(rows, plan);
  }
}

/** Yields the sort keys of the matching members after a position, in the order of their updates. That needs all rows. */
async function* matchesInUpdateOrder(table: Table, query: FilterQuery): AsyncGenerator<readonly string[]> {
  const { plan, after } = query;
  const found: string[] = [];
  for await (const rows of readFilterRows(table, query, { from: plan.ids.from })) {
    for (const sortKey of matching(rows, plan)) if (after === undefined || sortKey > after) found.push(sortKey);
  }
  yield found.sort();
}

const matching = (rows: readonly FilterRow[], plan: MemberPlan): string[] =>
  rows.filter(plan.matches).map((row) => memberSortKey(plan, row));

async function* readFilterRows(
  table: Table,
  { orgId, plan }: Pick<FilterQuery, 'orgId' | 'plan'>,
  { from, first }: { readonly from: string; readonly first?: number },
): AsyncGenerator<readonly FilterRow[]> {
  let [start, limit]: [string | undefined, number | undefined] = [from, first];
  while (start !== undefined && start <= plan.ids.to) {
    const output: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': memberFiltersPartition(orgId), ':from': start, ':to': plan.ids.to },
        ...(limit !== undefined && { Limit: limit }),
      }),
    );
    const { Items = [], LastEvaluatedKey: last } = output;
    yield Items.map(parseFilterRow);
    start = last === undefined ? undefined : `${String(last.sk)}\u0000`;
    limit = undefined;
  }
}
