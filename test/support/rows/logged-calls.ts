import { beginChange } from '../../../shared/data/admin/operator-changes.ts';
import { requestPut } from '../../../shared/data/requests/request-log.ts';
import type { Table } from '../../../shared/data/table/table.ts';

/** Two rows of the request log, of a call that succeeded and of one that was refused, and the record of a change by the CLI. */
export async function givenLoggedCalls(
  table: Table,
  orgId: string,
  { keyId, nowMs }: { keyId: string; nowMs: number },
) {
  const call = { requestId: 'r1', operationId: 'open-basket', keyId, durationMs: 12 };
  const { signal } = new AbortController();
  await requestPut(table, orgId, { ...call, status: 201, errorCode: null }, nowMs)(signal);
  await requestPut(table, orgId, { ...call, status: 400, errorCode: 'parameter_unknown' }, nowMs)(signal);
  const change = { requestId: 'cli_1', by: 'grace', command: 'org update', orgId, named: [] };
  await beginChange(table, { ...change, startedUnix: Math.floor(nowMs / 1000) });
}
