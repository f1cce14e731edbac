import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { memberKey } from '../../shared/data/table/keys.ts';
import { batchClientConfig, openTable } from '../../shared/data/table/table.ts';
import { listMembers } from '../../shared/operations/members/list-members.ts';
import { operationOn } from './operation-caller.ts';

/** Run by the part `export` in a process of its own; tells what it found on its output. */
const { BENCH_ENDPOINT = '', BENCH_TABLE = '', BENCH_ORG = '', BENCH_KEY = '', BENCH_LARGE_KEY = '' } = process.env;
const rounds = 3;

const table = openTable(BENCH_TABLE, { ...batchClientConfig, endpoint: BENCH_ENDPOINT });
const ask = await operationOn(table, listMembers);
const headersOf = (key: string) => ({ Authorization: `Bearer ${key}` });

async function exportAll(key = BENCH_KEY): Promise<number> {
  const { status, bytes } = await ask({ headers: headersOf(key), discard: true });
  if (status !== 200) throw new Error(`The export answered ${status}.`);
  return bytes;
}

async function bareLoop(): Promise<void> {
  let start: Record<string, unknown> | undefined;
  do {
    const { LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        // The same hint to DynamoDB Local that our own reader gives (shared/data/lists/range-reader.ts).
        KeyConditionExpression: 'pk = :pk AND sk >= :place',
        ExpressionAttributeValues: { ':pk': memberKey(BENCH_ORG, 1).pk, ':place': start?.sk ?? '0' },
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

await ask({ headers: headersOf(BENCH_KEY), query: { limit: '500' } });
const idleBytes = process.memoryUsage.rss();
let peakBytes = idleBytes;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);
const largeBytes = await exportAll(BENCH_LARGE_KEY);
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
