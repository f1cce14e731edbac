import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { countScans, readAttended } from '../../../shared/data/counters/scans.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { previewScan, readScan, recordScan, type ScanReport } from '../../../shared/data/scans/record.ts';
import { nonceKey, scanRefKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { SideEffectsRefused } from '../../../shared/data/table/transact.ts';
import { type Scan, unknownFacts } from '../../../shared/domain/scans/scan.ts';
import { anOrder, aScan, aTicket, itemsLike, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { cancelled, crash, crashAfter, crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let orgs = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A new organisation with one sold ticket. */
async function sold(): Promise<{ orgId: string; barcode: string; orderId: number }> {
  orgs += 1;
  const orgId = `org_${orgs}`;
  const placed = anOrder({ emailAddress: 'ada@example.com', tickets: [aTicket({ priceIndex: 5, ticketName: 'Ada' })] });
  await writeOrder(table, orgId, placed);
  return { orgId, barcode: placed.tickets[0]?.barcode ?? '', orderId: placed.orderId };
}

const report = (orgId: string, scan: Scan, nonce: string | null = null): ScanReport => ({ orgId, scan, nonce });

const rowsOf = (orgId: string) => itemsLike(table, `SCN#${orgId}#`);

describe('recording a scan', () => {
  it('recording a scan stores whom it admitted, and counts the scan and the attendance', async () => {
    const { orgId, barcode, orderId } = await sold();
    const { scan, firstSortKey, outcome } = await recordScan(table, report(orgId, aScan(barcode)));
    expect({ outcome, firstSortKey }).toEqual({ outcome: 'recorded', firstSortKey: null });
    expect(scan).toEqual({
      ...unknownFacts,
      eventId: someEvent,
      barcode,
      gateId: 4,
      gate: 'Gate 4',
      direction: 'in',
      scannedUnix: someSpan + 50_000,
      result: 'ok',
      sortKey: expect.stringMatching(/^\d{10}#/),
      ticketName: 'Ada',
      orderId,
      ticketId: orderId + 1,
      categoryId: 7,
      categoryTitle: 'East stand',
      priceTitle: 'Price 5',
      emailAddress: 'ada@example.com',
    });
    expect(await readScan(table, orgId, someEvent, scan.sortKey)).toEqual(scan);
    expect(await countScans(table, orgId, someEvent)).toBe(1);
    expect(await readAttended(table, orgId, someEvent)).toEqual(new Map([[5, 1]]));
  });

  it('recording a scan at fifty gates concurrently with one barcode admits once, and records every scan', async () => {
    const { orgId, barcode } = await sold();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, gateId) =>
        recordScan(table, report(orgId, aScan(barcode, { gateId }), `n${gateId}`)),
      ),
    );
    const let_in = outcomes.filter(({ scan }) => scan.result === 'ok');
    expect(let_in).toHaveLength(1);
    const refused = outcomes.filter(({ scan }) => scan.result === 'already_scanned');
    expect(refused).toHaveLength(49);
    expect(new Set(refused.map(({ firstSortKey }) => firstSortKey))).toEqual(new Set([let_in[0]?.scan.sortKey]));
    expect(await countScans(table, orgId, someEvent)).toBe(50);
    expect(await rowsOf(orgId)).toHaveLength(50);
    expect(await readAttended(table, orgId, someEvent)).toEqual(new Map([[5, 1]]));
  });

  it('recording a scan with the same nonce returns the same result and writes nothing, also concurrently', async () => {
    const { orgId, barcode } = await sold();
    const twice = report(orgId, aScan(barcode), 'n1');
    const [one, other] = await Promise.all([recordScan(table, twice), recordScan(table, twice)]);
    expect([one.outcome, other.outcome].sort()).toEqual(['recorded', 'repeated']);
    expect(one.scan).toEqual(other.scan);
    await recordScan(table, report(orgId, aScan(barcode, { direction: 'out' }), 'n2'));
    const refused = await recordScan(table, report(orgId, aScan('unknown'), 'n3'));
    expect(refused.scan.result).toBe('invalid');
    // Later the ticket is outside again. The result of the nonce stays the same.
    expect(await recordScan(table, twice)).toEqual({ ...one, outcome: 'repeated' });
    expect(await recordScan(table, report(orgId, aScan(barcode), 'n3'))).toEqual({ ...refused, outcome: 'repeated' });
    expect(await countScans(table, orgId, someEvent)).toBe(3);
  });

  it('recording a scan of an unknown barcode, or one of another organisation, returns no details and is listed', async () => {
    const { orgId } = await sold();
    const { barcode: theirs } = await sold();
    for (const barcode of ['unknown', theirs]) {
      const { scan } = await recordScan(table, report(orgId, aScan(barcode)));
      expect(scan).toMatchObject({ ...unknownFacts, result: 'invalid', barcode });
    }
    expect(await countScans(table, orgId, someEvent)).toBe(2);
    expect(await readAttended(table, orgId, someEvent)).toEqual(new Map());
  });

  it('recording a scan uses the state of the ticket at the time of the write', async () => {
    const { orgId, barcode, orderId } = await sold();
    const first = await recordScan(table, report(orgId, aScan(barcode)));
    await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'refunded' });
    const refused = await recordScan(table, report(orgId, aScan(barcode)));
    expect(refused).toMatchObject({ scan: { result: 'refunded' }, firstSortKey: first.scan.sortKey });
    const elsewhere = await recordScan(table, report(orgId, aScan(barcode, { eventId: someEvent + 512 })));
    expect(elsewhere).toMatchObject({ scan: { result: 'wrong_event' }, firstSortKey: null });
    expect(await readAttended(table, orgId, someEvent)).toEqual(new Map([[5, 1]]));
  });

  it('recording a scan decides again after a concurrent refund', async () => {
    const { orgId, barcode, orderId } = await sold();
    const slow = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'cancelled' });
      return send();
    });
    expect((await recordScan(slow, report(orgId, aScan(barcode)))).scan.result).toBe('cancelled');
    expect(await readAttended(table, orgId, someEvent)).toEqual(new Map());
  });

  it('recording a late scan keeps its own time, and lists it there', async () => {
    const { orgId, barcode } = await sold();
    await recordScan(table, report(orgId, aScan(barcode)));
    const early = aScan(barcode, { scannedUnix: someSpan + 40_000, receivedMs: (someSpan + 90_000) * 1000 });
    expect((await recordScan(table, report(orgId, early))).scan).toMatchObject({
      result: 'already_scanned',
      scannedUnix: someSpan + 40_000,
    });
    expect((await rowsOf(orgId)).map(({ at }) => at).sort()).toEqual([someSpan + 40_000, someSpan + 50_000]);
    const range = { after: someSpan + 39_999, before: someSpan + 40_001 };
    expect(await countScans(table, orgId, someEvent, range)).toBe(1);
  });

  it('previewing a scan records nothing', async () => {
    const { orgId, barcode } = await sold();
    expect((await previewScan(table, report(orgId, aScan(barcode)))).scan.result).toBe('ok');
    expect((await previewScan(table, report(orgId, aScan(barcode)))).scan.result).toBe('ok');
    expect(await rowsOf(orgId)).toEqual([]);
  });

  it('recording an imported scan keeps its result, once and permanently', async () => {
    const { orgId, barcode } = await sold();
    const past: ScanReport = { ...report(orgId, aScan(barcode), 'import-1'), pastResult: 'ok' };
    await recordScan(table, past);
    await recordScan(table, past);
    await recordScan(table, { ...report(orgId, aScan('gone'), 'import-2'), pastResult: 'already_scanned' });
    expect((await rowsOf(orgId)).map(({ result }) => result).sort()).toEqual(['already_scanned', 'ok']);
    expect((await itemsLike(table, `NON#${orgId}#`)).filter((item) => 'ttl' in item)).toEqual([]);
    expect((await recordScan(table, report(orgId, aScan(barcode)))).scan.result).toBe('already_scanned');
  });

  it('a gate whose nonce equals the reference of an imported scan records its own scan, and the import its own', async () => {
    const { orgId, barcode } = await sold();
    const past: ScanReport = { ...report(orgId, aScan('gone'), '1'), pastResult: 'invalid' };
    const isRecorded = async (given: ScanReport) => (await recordScan(table, given)).outcome;
    expect(await isRecorded(past)).toBe('recorded');
    const atGate = await recordScan(table, report(orgId, aScan(barcode), '1'));
    expect(atGate).toMatchObject({ outcome: 'recorded', scan: { result: 'ok' } });
    expect(await recordScan(table, report(orgId, aScan(barcode), '1'))).toEqual({ ...atGate, outcome: 'repeated' });
    expect(await isRecorded(past)).toBe('repeated');
    const another = await sold();
    await recordScan(table, report(another.orgId, aScan(another.barcode), '2'));
    expect(await isRecorded({ ...report(another.orgId, aScan('gone'), '2'), pastResult: 'invalid' })).toBe('recorded');
  });

  it('the reference of a scan that an earlier release imported is known to imports, and not in the way of a gate', async () => {
    const { orgId, barcode } = await sold();
    const past: ScanReport = { ...report(orgId, aScan('gone'), 'r'), pastResult: 'invalid' };
    const { scan } = await recordScan(table, past);
    const { pk, sk } = scanRefKey(orgId, scan.eventId, 'r');
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    const Item = { ...nonceKey(orgId, scan.eventId, 'r'), sortKey: scan.sortKey };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    expect(await recordScan(table, past)).toMatchObject({ outcome: 'repeated', scan: { sortKey: scan.sortKey } });
    expect(await recordScan(table, report(orgId, aScan(barcode), 'r'))).toMatchObject({
      outcome: 'recorded',
      scan: { result: 'ok' },
    });
  });

  it('recording a scan retries conflicts, and can be repeated after a crash before or after the transaction', async () => {
    const { orgId, barcode } = await sold();
    const given = report(orgId, aScan(barcode), 'n');
    await expect(recordScan(crashBefore(table), given)).rejects.toThrow(crash);
    const busy = faultyTable(table, (send, attempt) =>
      attempt <= 3 ? Promise.reject(cancelled('TransactionConflict')) : send(),
    );
    expect((await recordScan(busy, given)).scan.result).toBe('ok');
    const out = report(orgId, aScan(barcode, { direction: 'out' }), 'n2');
    await expect(recordScan(crashAfter(table), out)).rejects.toThrow(crash);
    expect(await recordScan(table, out)).toMatchObject({ outcome: 'repeated', scan: { result: 'out' } });
    expect(await countScans(table, orgId, someEvent)).toBe(2);
  });

  it('recording a scan includes its side effects in the transaction, or writes nothing', async () => {
    const { orgId, barcode } = await sold();
    const Item = { pk: `MARK#${orgId}`, sk: '#' };
    const sideEffects = () => [
      { Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
    ];
    expect(await recordScan(table, report(orgId, aScan(barcode)), { sideEffects })).toMatchObject({
      outcome: 'recorded',
    });
    await expect(recordScan(table, report(orgId, aScan('other')), { sideEffects })).rejects.toThrow(SideEffectsRefused);
    expect(await rowsOf(orgId)).toHaveLength(1);
  });
});
