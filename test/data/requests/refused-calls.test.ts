import { expect, it } from 'vitest';
import { requestPut } from '../../../shared/data/requests/request-log.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';
import { givenCount } from '../../../tools/fixtures/auth.ts';
import { callOperation } from '../../support/call-operation.ts';
import { givenTableWithKey, retrieve } from '../../support/organisation-pipeline.ts';
import { everyRow } from '../../support/rows/every-row.ts';

const orgId = 'org_refused';
const nowMs = Date.UTC(2026, 10, 7, 12);

const refused = {
  requestId: 'r',
  operationId: 'retrieve-organisation',
  keyId: '1',
  status: 429,
  errorCode: 'rate_limit_exceeded',
  durationMs: 1,
};

it('calls that a limit refuses share a row for five seconds, however many there are', async () => {
  const { table, key } = await givenTableWithKey(orgId);
  const rows = async () => {
    const all = [...(await everyRow(table)).values()];
    return all.filter(({ pk }) => pk.startsWith('REQ#')).sort((one, other) => (one.sk < other.sk ? -1 : 1));
  };
  const refusedAt = async (ms: number) => {
    await givenCount(table, orgId, { window: 'key_minute', nowMs: ms, count: 300 });
    table.meter.reset();
    expect(await callOperation(retrieveOrganisation, retrieve, { table, nowMs: ms, bearer: key })).toMatchObject({
      status: 429,
    });
    return table.meter.calls;
  };
  const first = await refusedAt(nowMs + 100_000);
  const others = [await refusedAt(nowMs + 100_001), await refusedAt(nowMs + 104_999)];
  // An instance does not write the row again.
  expect(others).toEqual([first - 1, first - 1]);
  await refusedAt(nowMs + 105_000);
  expect((await rows()).map(({ sk, status }) => [sk.length, status])).toEqual([
    [26, 429],
    [26, 429],
  ]);
  const put = (keyId: string) =>
    requestPut(table, orgId, { ...refused, keyId }, nowMs + 105_500)(new AbortController().signal);
  // Another instance writes the same row.
  await put('3');
  await put('4');
  expect((await rows()).map(({ key: keyId }) => keyId)).toEqual(['1', '4']);
});
