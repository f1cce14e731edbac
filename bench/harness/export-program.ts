import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { memberKey } from '../../shared/data/table/keys.ts';
import { batchClientConfig, openTable } from '../../shared/data/table/table.ts';
import { listMembers } from '../../shared/operations/members/list-members.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { operationCaller } from './operation-caller.ts';

/** The part `export` runs this in a separate process. It prints its findings as JSON. */
const { BENCH_ENDPOINT = '', BENCH_TABLE = '', BENCH_ORG = '', BENCH_LARGE_ORG = '' } = process.env;
const rounds = 3;

const table = openTable(BENCH_TABLE, { ...batchClientConfig, endpoint: BENCH_ENDPOINT });
const call = await operationCaller(table, listMembers);
for (const orgId of new Set([BENCH_ORG, BENCH_LARGE_ORG])) await givenOrganisation(table, orgId);
// The signing key exists in this process only, so the API keys are made here. A second key of the same organisation would
// replace the first.
const { text: key } = await givenKey(table, BENCH_ORG);
const { text: largeKey } = BENCH_LARGE_ORG === BENCH_ORG ? { text: key } : await givenKey(table, BENCH_LARGE_ORG);
const headersOf = (text: string) => ({ Authorization: `Bearer ${text}` });

async function exportAll(text = key): Promise<number> {
  const { status, bytes } = await call({ headers: headersOf(text), discard: true });
  if (status !== 200) throw new Error(`The export returned ${status}.`);
  return bytes;
}

async function bareLoop(): Promise<void> {
  let start: Record<string, unknown> | undefined;
  do {
    const { LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        // DynamoDB Local needs this condition to read large partitions fast, see shared/data/lists/range-reader.ts.
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: { ':pk': memberKey(BENCH_ORG, 1).pk, ':from': start?.sk ?? '0' },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

await call({ headers: headersOf(key), query: { limit: '500' } });
const idleBytes = process.memoryUsage.rss();
let peakBytes = idleBytes;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);
const largeBytes = await exportAll(largeKey);
clearInterval(sampling);

const exportSeconds: number[] = [];
const bareSeconds: number[] = [];
let bytes = 0;
for (let round = 0; round < rounds; round += 1) {
  exportSeconds.push(
    await seconds(async () => {
      bytes = await exportAll();
    }),
  );
  bareSeconds.push(await seconds(bareLoop));
}
process.stdout.write(JSON.stringify({ exportSeconds, bareSeconds, bytes, largeBytes, idleBytes, peakBytes }));
process.exit(0);
