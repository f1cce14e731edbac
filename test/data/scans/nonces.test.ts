import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let day: MatchDay;

beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
});

describe('record-scan nonces', () => {
  it('a nonce never replays the response of another barcode, gate or direction', async () => {
    const { barcode } = await day.sell();
    const other = await day.sell();
    const first = await day.scan(barcode, { gate_id: 4, nonce: '1' });
    expect(first.result).toBe('ok');
    const before = await itemsLike(table, `SCN#${day.orgId}#`);
    for (const reading of [
      { barcode: 'made up', gate_id: 4 },
      { barcode: other.barcode, gate_id: 4 },
      { barcode, gate_id: 5 },
      { barcode },
      { barcode, gate_id: 4, direction: 'out' },
      { barcode: 'made up', gate_id: 4, simulate: true },
    ]) {
      expect(await day.send({ ...reading, nonce: '1' })).toMatchObject({
        status: 409,
        body: { error: { code: 'nonce_mismatch', param: 'nonce' } },
      });
    }
    expect(await itemsLike(table, `SCN#${day.orgId}#`)).toEqual(before);
    expect(await day.scan(barcode, { gate_id: 4, nonce: '1' })).toEqual(first);
  });

  it('a nonce that two gates use concurrently for two tickets admits one of them and refuses the other', async () => {
    const tickets = [await day.sell(), await day.sell()];
    const responses = await Promise.all(
      tickets.map(({ barcode }, index) => day.send({ barcode, gate_id: index + 1, nonce: '2' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('scanned_at of record-scan', () => {
  it('scanned_at may be as old as nonces are kept, for gates that were offline', async () => {
    const { barcode } = await day.sell();
    const kept = { scanned_at: day.now() - 13 * 86_400, nonce: 'kept' };
    const first = await day.scan(barcode, kept);
    expect(first.result).toBe('ok');
    expect(await day.scan(barcode, kept)).toEqual(first);
  });

  it.each([
    ['longer ago than that', () => day.now() - 15 * 86_400],
    ['in the first second of 1970', () => 0],
    ['before it', () => -1],
    ['two hours ahead', () => day.now() + 7_200],
  ])('scanned_at is refused when it is %s, and nothing is recorded', async (_when, scannedAt) => {
    const before = await itemsLike(table, `SCN#${day.orgId}#`);
    expect(await day.send({ barcode: 'x', scanned_at: scannedAt() })).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_invalid', param: 'scanned_at' } },
    });
    expect(await itemsLike(table, `SCN#${day.orgId}#`)).toEqual(before);
  });
});
