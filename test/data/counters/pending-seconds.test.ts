import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditScans } from '../../../shared/data/audit/scans.ts';
import { countScan, maxPending } from '../../../shared/data/counters/count-scan.ts';
import { pendingSeconds, scanShards } from '../../../shared/data/counters/scan-layout.ts';
import { countScans } from '../../../shared/data/counters/scans.ts';
import { listScans } from '../../../shared/data/scans/list.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import { scanItem } from '../../../shared/data/scans/row.ts';
import { counterKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { scanSortKey, unknownFacts } from '../../../shared/domain/scans/scan.ts';
import { bucketSeconds, bucketStart, type TimeRange } from '../../../shared/domain/time/time-buckets.ts';
import { aScan, itemsLike, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { watchedTable } from '../../support/cost/transacted-units.ts';
import { cancelled, crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let orgs = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const open = someSpan + 50_000;
const newOrg = (): string => {
  orgs += 1;
  return `org_pending${orgs}`;
};
/** Each scan is more than a minute after the one before. */
const secondOf = (index: number): number => open + index * 71;

const scanAt = (through: Table, orgId: string, scannedUnix: number, nonce: string | null = null) =>
  recordScan(through, { orgId, scan: aScan('unknown', { scannedUnix }), nonce });

/** As many scans as may be pending, in the shard that the next scan uses: rows and counter as if each had been recorded. */
async function givenPending(orgId: string, firstIndex = 0): Promise<void> {
  const indexes = Array.from({ length: maxPending }, (_, index) => firstIndex + index);
  const shard = scanShards.choose(1);
  const items = indexes.map((index) => {
    const { receivedMs: _, ...scan } = aScan('unknown', { scannedUnix: secondOf(index) });
    const sortKey = scanSortKey({ ...scan, receivedMs: 1 }, `g${index}`);
    return scanItem(orgId, { ...unknownFacts, ...scan, result: 'invalid', sortKey });
  });
  await putItems(table, items);
  const counted = (scannedUnix: number) => ({ eventId: someEvent, scannedUnix, attendedPrice: undefined });
  const updates = indexes.flatMap((index) =>
    countScan(table, orgId, counted(secondOf(index)), { shard, day: undefined }).flatMap(({ Update }) => Update ?? []),
  );
  await Promise.all(updates.map((update) => table.client.send(new UpdateCommand(update))));
}

const countersOf = (orgId: string, size: 'D' | 'H' | 'M') =>
  itemsLike(table, counterKey(orgId, someEvent, `X${size}`, '').pk);
const pendingOf = async (orgId: string): Promise<number> =>
  (await countersOf(orgId, 'D')).flatMap(pendingSeconds).reduce((sum, { count }) => sum + count, 0);

/** Compares the figures with the rows: in total, in ranges with edges of all sizes, page by page, and by the audit. */
async function expectAgreement(orgId: string): Promise<void> {
  const rows = (await itemsLike(table, `SCN#${orgId}#`)).map(({ at }) => Number(at)).sort((a, b) => a - b);
  const ranges: TimeRange[] = [
    {},
    { after: open - 1, before: open + 1 },
    { after: open + 70, before: open + 20 * 71 },
    { after: open + 3 * 71, before: open + 7_200 + 33 },
    { before: open + 5_000 },
  ];
  for (const range of ranges) {
    const { after = -1, before = Number.POSITIVE_INFINITY } = range;
    const expected = rows.filter((at) => at > after && at < before).length;
    expect(await countScans(table, orgId, someEvent, range)).toBe(expected);
  }
  for (let page = 1; (page - 1) * 30 < rows.length; page += 1) {
    const { scans } = await listScans(table, { orgId, eventId: someEvent, range: {}, page, limit: 30 });
    expect(scans.map(({ scannedUnix }) => scannedUnix)).toEqual(rows.slice((page - 1) * 30, page * 30));
  }
  const { findings } = await auditScans(table, { orgId, eventId: someEvent }, bucketStart('day', open));
  expect(findings).toEqual([]);
}

describe('pending seconds of scan counters', () => {
  it('a scan writes one counter, and the counters of hours and minutes only when many seconds are pending', async () => {
    const orgId = newOrg();
    await givenPending(orgId);
    expect(await countersOf(orgId, 'H')).toEqual([]);
    expect(await pendingOf(orgId)).toBe(maxPending);
    await expectAgreement(orgId);

    const { watched, transactions } = watchedTable(table);
    await scanAt(watched, orgId, secondOf(maxPending));
    expect(transactions[0]?.length).toBeLessThanOrEqual(2 + 2 * maxPending);
    expect(await pendingOf(orgId)).toBe(1);
    expect(await countersOf(orgId, 'M')).toHaveLength(maxPending);
    await expectAgreement(orgId);
  });

  it('a move happens once, with a crash before or after its transaction, a conflict, or two scans at the same time', async () => {
    const orgId = newOrg();
    await givenPending(orgId);
    const next = (nonce: string) => [orgId, secondOf(maxPending) + 5, nonce] as const;
    await expect(scanAt(crashBefore(table), ...next('n1'))).rejects.toThrow(crash);
    expect(await pendingOf(orgId)).toBe(maxPending);
    await expect(scanAt(crashAfter(table), ...next('n1'))).rejects.toThrow(crash);
    expect((await scanAt(table, ...next('n1'))).outcome).toBe('repeated');
    await givenPending(orgId, 100);
    await Promise.all(['n2', 'n3'].map((nonce) => scanAt(table, ...next(nonce))));
    await expectAgreement(orgId);

    await givenPending(orgId, 200);
    const busy = faultyTable(table, (send, attempt) =>
      attempt === 1 ? Promise.reject(cancelled('TransactionConflict')) : send(),
    );
    await scanAt(busy, ...next('n6'));
    await expectAgreement(orgId);
  });

  it('a second that was counted again after it was read is not moved until it is read again', async () => {
    const orgId = newOrg();
    await givenPending(orgId);
    const slow = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await scanAt(table, orgId, secondOf(0));
      return send();
    });
    await scanAt(slow, orgId, secondOf(maxPending));
    await expectAgreement(orgId);
  });

  it.each(['hour', 'minute'] as const)('a move between the reads of day and %s is noticed', async (size) => {
    const orgId = newOrg();
    await givenPending(orgId);
    const letter = size === 'hour' ? '#XH' : '#XM';
    let isMoved = false;
    const slow = queriedTable(async (partition) => {
      if (isMoved || !partition.includes(letter)) return;
      isMoved = true;
      await scanAt(table, orgId, secondOf(maxPending));
    });
    const start = bucketStart(size, secondOf(2)) + 1;
    const range = { after: start - 1, before: start + bucketSeconds[size] };
    const expected = Array.from({ length: maxPending }, (_, index) => secondOf(index)).filter(
      (unix) => unix > range.after && unix < range.before,
    ).length;
    expect(await countScans(slow, orgId, someEvent, range)).toBe(expected);
    expect(isMoved).toBe(true);
    expect(await countersOf(orgId, 'H')).not.toEqual([]);
  });
});

/** The same table, with work before each Query of a partition. */
function queriedTable(before: (partition: string) => Promise<void>): Table {
  const client: Table['client'] = Object.create(table.client, {
    send: {
      value: async (command: Parameters<Table['client']['send']>[0]) => {
        const values: unknown = Reflect.get(command.input, 'ExpressionAttributeValues');
        await before(String(fieldsOf(values)[':pk']));
        return table.client.send(command);
      },
    },
  });
  return { ...table, client };
}
