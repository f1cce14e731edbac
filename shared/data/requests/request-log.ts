import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { listHorizonMs, type TimeWindow } from '../lists/sharded-list.ts';
import { requestLogKey, requestLogPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type AnsweredRequest, keptSeconds, type LoggedRequest, parseRequest, requestItem, rowIds } from './row.ts';

/** Returns the write of an answered call's row. Sent again, it writes the same row. The signal gives it up: a client waits for its response. */
export function requestPut(
  table: Table,
  orgId: string,
  request: AnsweredRequest,
  nowMs: number,
): (abortSignal: AbortSignal) => Promise<void> {
  const put = { TableName: table.name, Item: requestItem(orgId, request, nowMs) };
  return async (abortSignal) => {
    await table.client.send(new PutCommand(put), { abortSignal });
  };
}

export interface RequestFilters {
  readonly operationId: string | undefined;
  readonly status: number | undefined;
  readonly keyId: string | undefined;
}

export interface RequestQuery extends TimeWindow, RequestFilters {
  readonly limit: number;
  readonly nowMs: number;
}

export interface RequestPage {
  readonly requests: readonly LoggedRequest[];
  /** The row after which the next page begins; undefined when the log ends here. */
  readonly next: string | undefined;
}

/** The rows that a call with filters reads at most, matching or not: some 35 read units. */
export const maxReadRows = 1_000;

/**
 * Reads a page of the log, newest first. With filters it ends after `maxReadRows` rows, so it may be short or empty although older
 * rows match: its cursor goes on from there.
 */
export async function readRequests(
  table: Table,
  orgId: string,
  { after, sinceMs, untilMs, limit, nowMs, ...filters }: RequestQuery,
): Promise<RequestPage> {
  // DynamoDB may keep expired rows for days.
  const from = rowIds.floor(Math.max(sinceMs, nowMs - keptSeconds * 1000));
  // A row gets its id just before it is written, so one of the last seconds may still be missing.
  const to = rowIds.floor(Math.min(untilMs, nowMs - listHorizonMs));
  if (from >= to || (after !== undefined && after < from)) return { requests: [], next: undefined };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      // A replica that lags would skip a row, and the client would never request that page again.
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': requestLogPartition(orgId), ':from': from, ':to': to },
      ...(after !== undefined && { ExclusiveStartKey: requestLogKey(orgId, after) }),
      ScanIndexForward: false,
      // One row more than the page shows whether another page follows.
      Limit: isFiltered ? maxReadRows : limit + 1,
    }),
  );
  const read = Items.map(parseRequest);
  const matching = read.filter((request) => matches(request, filters));
  const requests = matching.slice(0, limit);
  if (matching.length > limit) return { requests, next: requests.at(-1)?.rowId };
  return { requests, next: LastEvaluatedKey === undefined ? undefined : read.at(-1)?.rowId };
}

function matches(request: LoggedRequest, { operationId, status, keyId }: RequestFilters): boolean {
  return (
    request.operationId === (operationId ?? request.operationId) &&
    request.status === (status ?? request.status) &&
    request.keyId === (keyId ?? request.keyId)
  );
}
