import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { memberKey } from '../../shared/data/keys.ts';
import { openTable, patience } from '../../shared/data/table.ts';
import { listMembers } from '../../shared/operations/members/list-members.ts';
import { operationOn } from './call.ts';

/** Run by the part `export` in a process of its own; tells what it found on its output. */
const { BENCH_ENDPOINT = '', BENCH_TABLE = '', BENCH_ORG = '', BENCH_KEY = '' } = process.env;
const rounds = 3;

const table = openTable(BENCH_TABLE, { ...patience, endpoint: BENCH_ENDPOINT });
const ask = await operationOn(table, listMembers);
const headers = { Authorization: `Bearer ${BENCH_KEY}` };

async function exportAll(): Promise<number> {
  const { status, bytes } = await ask({ headers, discard: true });
  if (status !== 200) throw new Error(`The export answered ${status}.`);
  return bytes;
}

async function bareLoop(): Promise<void> {
  let start: Record<string, unknown> | undefined;
  do {
    const { LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': memberKey(BENCH_ORG, 1).pk },
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

await ask({ headers, query: { limit: '500' } });
const idleBytes = process.memoryUsage.rss();
let peakBytes = idleBytes;
const sampling = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);
let bytes = 0;
const first = await seconds(async () => {
  bytes = await exportAll();
});
clearInterval(sampling);

const [exportSeconds, bareSeconds] = [[first], [await seconds(bareLoop)]];
for (let round = 1; round < rounds; round += 1) {
  exportSeconds.push(await seconds(exportAll));
  bareSeconds.push(await seconds(bareLoop));
}
process.stdout.write(JSON.stringify({ exportSeconds, bareSeconds, bytes, idleBytes, peakBytes }));
process.exit(0);
