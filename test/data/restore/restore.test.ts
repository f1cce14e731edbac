import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { putHint } from '../../../shared/data/table/due-hints.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { listHint } from '../../../shared/data/waiting-list/closed-stock.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { systemClock, unixSeconds } from '../../../shared/platform/clock.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { writeExport } from '../../../tools/restore/export-file.ts';
import { type RestoreRun, restoreTable } from '../../../tools/restore/restore-table.ts';
import { readTable } from '../../../tools/restore/table-source.ts';
import { verifyTable } from '../../../tools/restore/verify-table.ts';
import { givenSales, type Sales, set } from '../../support/audit.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createLocalTable, localClientConfig } from '../../support/dynamodb-local.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { crashPoints, longTest } from '../../support/thorough.ts';

await givenStackSecret();

const folder = mkdtempSync(join(tmpdir(), 'gateline-restore-'));
const file = join(folder, 'export.json.gz');
const config = await localClientConfig();
const endpoint = String(config.endpoint);
const client = new DynamoDBClient(config);
afterAll(() => {
  client.destroy();
  rmSync(folder, { recursive: true });
});

let lost: Table;
let sales: Sales;

async function exportTable(table: Table, to = file): Promise<void> {
  await writeExport(to, readTable(endpoint, table.name));
}

beforeAll(async () => {
  lost = await createLocalTable();
  sales = await givenSales(lost);
  await exportTable(lost);
});

const exportIn = (path: string) => ({ kind: 'export', file: path, endpoint }) as const;

function aRun(tableName: string, changes: Partial<RestoreRun> = {}) {
  const lines: string[] = [];
  const run: RestoreRun = {
    client,
    source: exportIn(file),
    erasures: { tableName: lost.name, file: undefined },
    eraseAgain: async () => 0,
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
    clock: systemClock,
    nowMs: () => 0,
    print: (line) => lines.push(line),
    printError: (line) => lines.push(line),
    ...changes,
  };
  return { run, lines };
}

describe('npm run restore, from an export on one machine', () => {
  it('a restored table has every row, a stream and a time to live, and the service sells from it', async () => {
    const switched: unknown[] = [];
    const { run, lines } = aRun('restored-whole', { switchTo: (table) => switched.push(table) });
    expect(await restoreTable(run)).toBe(true);
    const restored = openTable('restored-whole', config);
    expect(await everyRow(restored)).toEqual(await everyRow(lost));
    const { Table: description } = await client.send(new DescribeTableCommand({ TableName: 'restored-whole' }));
    expect(description?.StreamSpecification).toMatchObject({ StreamViewType: 'NEW_IMAGE' });
    expect(switched).toEqual([{ tableName: 'restored-whole', streamArn: description?.LatestStreamArn }]);
    expect(lines.filter((line) => / s$/.test(line)).map((line) => line.split(':')[0])).toEqual([
      'restore',
      'prepare',
      'erase',
      'verify',
      'switch',
    ]);
    expect(lines.join('\n')).toMatch(/1 organisations, 1 events, 2 orders, 2 scans, .* 0 findings/);
    const { orgId, orderId } = sales;
    const params = { order_id: String(orderId) };
    const shown = await callHandler(retrieveOrder, retrieve, { params }, { table: restored, orgId });
    expect(shown).toMatchObject({ order_status: 'confirmed' });
  });

  longTest('a restore that is interrupted at any call is completed by the same command', async () => {
    for (const call of crashPoints()) {
      const name = `restored-${call}`;
      let calls = 0;
      const dying = new DynamoDBClient(config);
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
      if (isDone !== undefined) {
        expect(call).toBeGreaterThan(5);
        return;
      }
      expect(await everyRow(openTable(name, config))).toEqual(await everyRow(lost));
    }
  });

  it('a table whose rows contradict each other is not switched to', async () => {
    const { run } = aRun('restored-broken');
    await restoreTable(run);
    const broken = openTable('restored-broken', config);
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

  longTest('a table is verified at the time of its stage, which may be ahead of the machine', async () => {
    const { orgId, eventId } = sales;
    const whole = join(folder, 'whole.json.gz');
    await exportTable(lost, whole);
    const { run } = aRun('restored-ahead', { source: exportIn(whole) });
    expect(await restoreTable(run)).toBe(true);
    const ahead = openTable('restored-ahead', config);
    for (const { pk, sk } of [...(await everyRow(ahead)).values()].filter((row) => row.pk.startsWith('STK#'))) {
      await set(ahead, { pk, sk }, 'closed', true);
    }
    const dueUnix = Date.UTC(2090, 0, 1) / 1000;
    await putHint(ahead, listHint(orgId, eventId, dueUnix));
    const verify = (nowUnix: number) => verifyTable(ahead, { nowMs: () => nowUnix * 1000 }, () => undefined);
    expect(await verify(dueUnix)).toMatchObject({ findings: 0 });
    expect(await verify(dueUnix - 86_400)).not.toMatchObject({ findings: 0 });
    const path = join(folder, 'ahead.json.gz');
    await exportTable(ahead, path);
    const erasedAt: number[] = [];
    const { run: moved } = aRun('restored-moved', {
      source: exportIn(path),
      clock: { nowMs: () => dueUnix * 1000 },
      eraseAgain: async (_restored, _list, clock) => erasedAt.push(unixSeconds(clock)) - 1,
    });
    expect(await restoreTable(moved)).toBe(true);
    expect(erasedAt).toEqual([dueUnix]);
  });

  longTest(
    'an event that sold out just before the export is sold out after the restore, although the old stream is lost',
    async () => {
      const table = await createLocalTable();
      const deps = checkoutDepsOf(table, 'org_soldout');
      await givenOrganisation(table, deps.orgId);
      const { event, price } = await givenOnSale(table, deps.orgId, { capacity: 2 });
      const { basketId } = await givenBasket(deps, price, 2);
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
      const path = join(folder, 'sold-out.json.gz');
      await exportTable(table, path);
      expect(await restoreTable(aRun('restored-sold-out', { source: exportIn(path) }).run)).toBe(true);
      const soldOutIn = async (at: Table) => (await readEvent(at, deps.orgId, event.eventId))?.soldOut;
      expect(await soldOutIn(table)).toBe(false);
      expect(await soldOutIn(openTable('restored-sold-out', config))).toBe(true);
    },
  );

  it('a damaged export is refused with the place of the damage, and a failed export leaves no file', async () => {
    const bytes = readFileSync(file);
    const lines = gunzipSync(bytes).toString('utf8').split('\n');
    const damaged: readonly [string, string | Buffer, string][] = [
      ['cut.json.gz', bytes.subarray(0, bytes.length / 2), 'cut.json.gz cannot be read: unexpected end of file.'],
      ['line.json.gz', gzipSync([lines[0], '{"Item":{"pk":1}}', ''].join('\n')), 'Line 2 of '],
      ['end.json', lines.join('\n').slice(0, -9), 'end.json ends in the middle of a line. Export the table again.'],
      ['none.json', '', ''],
    ];
    for (const [name, content, message] of damaged) {
      const path = join(folder, name);
      if (message !== '') writeFileSync(path, content);
      const switched: unknown[] = [];
      const { run } = aRun(`restored-${name}`, {
        source: exportIn(path),
        switchTo: (table) => switched.push(table),
      });
      await expect(restoreTable(run)).rejects.toThrow(message === '' ? 'none.json cannot be read' : message);
      expect(switched).toEqual([]);
    }
    async function* failing(): AsyncGenerator<readonly unknown[]> {
      yield [{ pk: { S: 'a' } }];
      throw new Error('interrupted');
    }
    await expect(writeExport(join(folder, 'failed.json.gz'), failing())).rejects.toThrow('interrupted');
    expect(existsSync(join(folder, 'failed.json.gz'))).toBe(false);
  });
});
