import { beforeAll, describe, expect, it } from 'vitest';
import { issueGateToken } from '../../../shared/data/admin/gate-tokens.ts';
import { saveGate } from '../../../shared/data/gates/gates.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { makeGateToken } from '../../../tools/fixtures/signing-key.ts';
import { type TransactedWrite, watchedTable } from '../../support/cost/transacted-units.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let day: MatchDay;
let bearer: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
  await saveGate(table, day.orgId, { gateId: 4, name: 'East', priceCategories: ['east'], membershipCategories: 'all' });
  const fields = {
    label: null,
    gates: 'all',
    events: 'all',
    offline: false,
    createdUnix: 1,
    expiresUnix: null,
  } as const;
  bearer = (await issueGateToken(table, day.orgId, fields, makeGateToken)).text;
});

/**
 * The cost of one scan with a gate token: the reads and the write of authentication as the table reports them, the
 * transaction computed from its items.
 */
async function costOf(barcode: string) {
  const { watched, writes, transactions } = watchedTable(table);
  const { status, body } = await day.send(
    { barcode, gate_id: 4, nonce: `n${Math.random()}` },
    { bearer, table: watched },
  );
  expect(status).toBe(201);
  expect(transactions).toHaveLength(1);
  const all = await writes();
  const transacted = all.reduce((sum, { units }) => sum + units, 0);
  return { result: body.result, readUnits: watched.meter.readUnits, transacted, writes: all };
}

const unitsByKind = (writes: readonly TransactedWrite[]) => {
  const units: Record<string, number> = {};
  for (const { kind, units: each } of writes) units[kind] = (units[kind] ?? 0) + each;
  return units;
};

describe('cost of record-scan', () => {
  it('record-scan that admits a ticket costs 12 write units and one for authentication, and at most 4 read units', async () => {
    const { barcode } = await day.sell();
    const cost = await costOf(barcode);
    expect(cost.result).toBe('ok');
    expect(unitsByKind(cost.writes)).toEqual({ BAR: 2, SCN: 2, NON: 2, CNT: 2, FEED: 2, DUE: 2 });
    expect(cost.readUnits).toBeLessThanOrEqual(4);
  });

  it('record-scan that refuses a ticket costs less, because the ticket is not written', async () => {
    const { barcode } = await day.sell();
    await day.scan(barcode);
    const cost = await costOf(barcode);
    expect(cost.result).toBe('already_scanned');
    expect(unitsByKind(cost.writes)).toEqual({ SCN: 2, NON: 2, CNT: 2, FEED: 2, DUE: 2 });
    expect(cost.readUnits).toBeLessThanOrEqual(5);
  });

  it('record-scan of a member costs as much as one of a ticket, and a few reads more', async () => {
    const { barcode } = await day.enrol();
    const cost = await costOf(barcode);
    expect(cost.result).toBe('ok');
    expect(unitsByKind(cost.writes)).toEqual({ PASS: 2, SCN: 2, NON: 2, CNT: 2, FEED: 2, DUE: 2 });
    expect(cost.readUnits).toBeLessThanOrEqual(8);
  });

  it('record-scan of a member who pays in instalments reads nothing more; that of one who is overdue reads the plan', async () => {
    const plan = { statusId: 2, instalments: true, planId: 1 } as const;
    const [paid, current, overdue] = [
      await day.enrol(),
      await day.enrol(plan),
      await day.enrol({ ...plan, overdueSinceUnix: day.now() - 20 * 86_400 }),
    ];
    const { readUnits } = await costOf(paid.barcode);
    expect(await costOf(current.barcode)).toMatchObject({ result: 'ok', readUnits });
    const refused = await costOf(overdue.barcode);
    expect(refused.result).toBe('unpaid');
    expect(refused.readUnits).toBeLessThanOrEqual(readUnits + 1);
  });

  it('record-scan costs the same after many others, and writes to no index', async () => {
    for (let index = 0; index < 25; index += 1) await day.scan(`filler-${index}`);
    const { barcode } = await day.sell();
    const cost = await costOf(barcode);
    expect(unitsByKind(cost.writes)).toEqual({ BAR: 2, SCN: 2, NON: 2, CNT: 2, FEED: 2, DUE: 2 });
    for (const kind of ['SCN#', 'NON#', 'CNT#', 'FEED#', 'DUE#', 'PASS#']) {
      const indexed = (await itemsLike(table, kind)).filter((item) =>
        Object.keys(item).some((name) => /^by\d/.test(name)),
      );
      expect(indexed).toEqual([]);
    }
  });
});
