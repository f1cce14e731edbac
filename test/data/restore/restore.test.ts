import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { type RestoreRun, restoreTable } from '../../../tools/restore/restore.ts';
import { givenSales, type Sales, set } from '../../support/audit.ts';
import { callHandler } from '../../support/call-handler.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable, testClientConfig } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-restore-'));
const file = join(folder, 'export.json');
const client = new DynamoDBClient(testClientConfig());
afterAll(() => {
  client.destroy();
  rmSync(folder, { recursive: true });
});

let lost: Table;
let sales: Sales;

/** As DynamoDB exports a table: a line with an item in its own JSON for each row. */
async function exportTable(table: Table): Promise<void> {
  const asText = (_name: string, value: unknown): unknown =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  const rows = [...(await everyRow(table)).values()];
  writeFileSync(file, rows.map((row) => `${JSON.stringify({ Item: marshall(row) }, asText)}\n`).join(''));
}

beforeAll(async () => {
  ({ table: lost } = await createTestTable());
  sales = await givenSales(lost);
  await exportTable(lost);
});

function aRun(tableName: string, changes: Partial<RestoreRun> = {}) {
  const lines: string[] = [];
  const run: RestoreRun = {
    client,
    source: { kind: 'export', file },
    keyArn: undefined,
    options: {
      tableName,
      stage: 'dev',
      keepData: false,
      warmThroughput: undefined,
      isLocal: true,
      wait: async () => {},
    },
    switchTo: undefined,
    nowMs: () => 0,
    print: (line) => lines.push(line),
    ...changes,
  };
  return { run, lines };
}

describe('npm run restore, from an export on one machine', () => {
  it('a restored table has every row, a stream and a time to live, and the service sells from it', async () => {
    const switched: unknown[] = [];
    const { run, lines } = aRun('restored-whole', { switchTo: (table) => switched.push(table) });
    expect(await restoreTable(run)).toBe(true);
    const restored = openTable('restored-whole', testClientConfig());
    expect(await everyRow(restored)).toEqual(await everyRow(lost));
    const { Table: description } = await client.send(new DescribeTableCommand({ TableName: 'restored-whole' }));
    expect(description?.StreamSpecification).toMatchObject({ StreamViewType: 'NEW_IMAGE' });
    expect(switched).toEqual([{ tableName: 'restored-whole', streamArn: description?.LatestStreamArn }]);
    expect(lines.filter((line) => / s$/.test(line)).map((line) => line.split(':')[0])).toEqual([
      'restore',
      'prepare',
      'verify',
      'switch',
    ]);
    expect(lines.join('\n')).toMatch(/1 organisations, 1 events, 2 orders, 2 scans, .* 0 findings/);
    const { orgId, orderId } = sales;
    const params = { order_id: String(orderId) };
    const shown = await callHandler(retrieveOrder, retrieve, { params }, { table: restored, orgId });
    expect(shown).toMatchObject({ order_status: 'confirmed' });
  });

  it('a restore that is interrupted at any call is completed by the same command', async () => {
    for (let call = 1; ; call += 1) {
      const name = `restored-${call}`;
      let calls = 0;
      const dying = new DynamoDBClient(testClientConfig());
      dying.middlewareStack.add(
        (next) => (args) => {
          calls += 1;
          return calls === call ? Promise.reject(new Error('interrupted')) : next(args);
        },
        { step: 'initialize' },
      );
      const isDone = await restoreTable(aRun(name, { client: dying }).run).catch(() => undefined);
      dying.destroy();
      expect(await restoreTable(aRun(name).run)).toBe(true);
      if (isDone !== undefined) break;
      expect(await everyRow(openTable(name, testClientConfig()))).toEqual(await everyRow(lost));
    }
  });

  it('a table whose rows contradict each other is not switched to', async () => {
    const { run } = aRun('restored-broken');
    await restoreTable(run);
    const broken = openTable('restored-broken', testClientConfig());
    const [counter] = [...(await everyRow(broken)).values()].filter(({ pk }) => pk.startsWith('STK#'));
    if (counter === undefined) throw new Error('There is no stock.');
    await set(broken, { pk: counter.pk, sk: counter.sk }, 'avail', 1);
    await exportTable(broken);
    const switched: unknown[] = [];
    const again = aRun('restored-broken', { switchTo: (table) => switched.push(table) });
    expect(await restoreTable(again.run)).toBe(false);
    expect(switched).toEqual([]);
    expect(again.lines.join('\n')).toContain('stock:');
  });
});
