import { beginChange } from '../../../shared/data/admin/operator-changes.ts';
import { putRequest } from '../../../shared/data/requests/request-log.ts';
import type { Table } from '../../../shared/data/table/table.ts';

/** Two rows of the request log, of a call that succeeded and of one that was refused, and the record of a change by the CLI. */
export async function givenLoggedCalls(
  table: Table,
  orgId: string,
  { keyId, nowMs }: { keyId: string; nowMs: number },
) {
  const call = { requestId: 'r1', operationId: 'open-basket', keyId, durationMs: 12 };
  const when = { nowMs, abortSignal: new AbortController().signal };
  await putRequest(table, orgId, { ...call, status: 201, errorCode: null }, when);
  await putRequest(table, orgId, { ...call, status: 400, errorCode: 'parameter_unknown' }, when);
  const change = { requestId: 'cli_1', by: 'grace', command: 'org update', orgId, named: [] };
  await beginChange(table, { ...change, startedUnix: Math.floor(nowMs / 1000) });
}
