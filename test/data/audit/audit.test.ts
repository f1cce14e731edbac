import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { confirmed, threeLooks } from '../../../shared/data/audit/confirm.ts';
import { type AuditRun, runAudit } from '../../../shared/data/audit/run.ts';
import { auditRoundKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { auditChecks, type Finding } from '../../../shared/domain/audit/finding.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { add, atOnce, findingsOf, givenSales, keyLike, type Sales, set } from '../../support/audit.ts';
import { breakages } from '../../support/audit-breakages.ts';
import type { Breakage } from '../../support/audit-list-breakages.ts';
import { checkOutWith, givenBasket, givenOnSale, newCheckoutDeps, noonUnix } from '../../support/baskets.ts';
import { killedAt } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;
let local: LocalRun;
let admin: Admin;

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  admin = adminTool({ localFile: local.file, nowMs: () => noonUnix * 1000 });
  // The command looks three times, as always, but without the pauses: nothing writes while it looks.
  vi.spyOn(threeLooks, 'wait').mockResolvedValue();
});
afterAll(() => {
  vi.restoreAllMocks();
  table.client.destroy();
  local.remove();
});

/** Two rounds an hour apart. At both times the hints of open baskets are explained. */
const firstRound = noonUnix - 1_800;
const secondRound = noonUnix + 1_800;

const maxReadUnits = 40;
/** The most that one step of these small events reads: that of the hints reads eight partitions of each kind. */
const maxStepUnits = 160;

interface AuditedRun extends AuditRun {
  readonly readUnits: number;
}

/** One run of the worker, with fewer units than on AWS, so a round takes many runs. */
async function oneRun(on: Table, nowUnix: number, found: Finding[]): Promise<AuditedRun> {
  const before = on.meter.readUnits;
  const report = (finding: Finding) => found.push(finding);
  const run = await runAudit({
    table: on,
    nowUnix,
    confirmation: atOnce,
    maxReadUnits,
    hasTime: () => true,
    report,
    reportStuck: () => {},
  });
  return { ...run, readUnits: on.meter.readUnits - before };
}

/** Runs of the worker until it has nothing to do. */
async function wholeRound(on: Table, nowUnix: number): Promise<{ found: Finding[]; runs: AuditedRun[] }> {
  const found: Finding[] = [];
  const runs: AuditedRun[] = [];
  do runs.push(await oneRun(on, nowUnix, found));
  while (runs.at(-1)?.steps !== 0);
  return { found, runs };
}

describe('audit by the command and by the worker', () => {
  let broken: (Breakage & Sales)[];
  let healthy: Sales;
  let round: Awaited<ReturnType<typeof wholeRound>>;
  /** What the command says about an organisation. */
  const reports = new Map<string, ReturnType<Admin>>();

  beforeAll(async () => {
    healthy = await givenSales(table);
    broken = [];
    const groups = new Map<string, Sales>();
    for (const breakage of breakages) {
      const group = breakage.group ?? breakage.what;
      const sales = groups.get(group) ?? (await givenSales(table));
      groups.set(group, sales);
      broken.push({ ...breakage, ...sales });
    }
    for (const { breaks, ...sales } of broken) await breaks(table, sales);
    round = await wholeRound(table, firstRound);
  });

  it('audit counts every ticket of a group ticket, held in a basket and sold', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { ticketsIncluded: 4 });
    await givenBasket(deps, price, 2);
    const { basketId } = await givenBasket(deps, price, 1);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('audit has a way to break every check', () => {
    const tested = new Set<string>(breakages.map(({ check }) => check));
    expect(auditChecks.filter((check) => !tested.has(check))).toEqual([]);
  });

  it.each(breakages.map(({ what }, index) => ({ what, index })))(
    'audit finds $what and names the row, by the command and by the worker',
    async ({ index }) => {
      const sales = broken[index];
      if (sales === undefined) throw new Error('There is no such organisation.');
      const audited = reports.get(sales.orgId) ?? admin('audit', sales.orgId, '--local', '--json');
      reports.set(sales.orgId, audited);
      const { exitCode, stdout } = await audited;
      const { findings }: { findings: Finding[] } = JSON.parse(stdout);
      const expected = {
        check: sales.check,
        row: expect.stringMatching(sales.row),
        problem: expect.stringMatching(sales.problem),
      };
      expect(findings).toContainEqual(expected);
      expect(exitCode).toBe(1);
      // The command ran after the worker: neither repairs anything.
      expect(round.found).toEqual(expect.arrayContaining(findings));
    },
  );

  it('audit finds nothing after purchases, a cancellation, an open basket and scans', async () => {
    expect(round.found.filter(({ row }) => row.includes(`#${healthy.orgId}#`))).toEqual([]);
    const { exitCode, stdout } = await admin('audit', healthy.orgId, '--local', '--json');
    expect(JSON.parse(stdout)).toEqual({
      org_id: healthy.orgId,
      events: 1,
      orders: 2,
      scans: 2,
      customers: 1,
      members: 2,
      findings: [],
    });
    expect(exitCode).toBe(0);
  });

  it('a run of the worker reads at most its units and one step', () => {
    expect(round.runs.length).toBeGreaterThan(10);
    expect(Math.max(...round.runs.map(({ readUnits }) => readUnits))).toBeLessThan(maxReadUnits + maxStepUnits);
  });

  it('the worker begins a round an hour after the last one, and its alarm stays until a round finds nothing', async () => {
    const found: Finding[] = [];
    const count = round.found.length;
    expect(await oneRun(table, secondRound - 1, found)).toMatchObject({ steps: 0, contradictions: count });
    const next = await oneRun(table, secondRound, found);
    expect(next.steps).toBeGreaterThan(0);
    expect(next.contradictions).toBe(count);
  });
});

describe('rounds of the audit', () => {
  longTest(
    'the worker goes on where a killed run stopped, finds everything, and ends the alarm after the repair',
    async () => {
      const { table: small } = await createTestTable();
      const { orgId } = await givenSales(small);
      await givenSales(small);
      const stock = await keyLike(small, `STK#${orgId}`);
      await add(small, stock, 'avail', -1);
      const found: Finding[] = [];
      let isComplete = false;
      for (let call = 3; !isComplete; call += 5) {
        const { table: mortal, wasKilled } = killedAt(small, call, call % 2 === 0 ? 'before' : 'after');
        const run = await oneRun(mortal, firstRound, found).catch(() => undefined);
        isComplete = !wasKilled() && run?.steps === 0;
        mortal.client.destroy();
      }
      // A run that was killed after its report reports the same again.
      expect(new Set(found.map(({ row, problem }) => `${row} ${problem}`))).toEqual(
        new Set([`${stock.pk} / ${stock.sk} 1 tickets are neither available, held nor sold.`]),
      );
      expect(await oneRun(small, firstRound, found)).toMatchObject({ contradictions: found.length });
      await add(small, stock, 'avail', 1);
      const { runs } = await wholeRound(small, secondRound);
      expect(runs.at(-1)?.contradictions).toBe(0);
      small.client.destroy();
    },
  );

  it('the worker begins again if it cannot read the stored position', async () => {
    const { table: small } = await createTestTable();
    await givenSales(small);
    await wholeRound(small, firstRound);
    await set(small, auditRoundKey(), 'at', { part: 'unknown' });
    const { runs } = await wholeRound(small, secondRound);
    expect(runs.length).toBeGreaterThan(1);
    small.client.destroy();
  });

  it('of two concurrent runs one stops', async () => {
    const { table: small } = await createTestTable();
    await givenSales(small);
    const found: Finding[] = [];
    const runs = await Promise.all([oneRun(small, noonUnix, found), oneRun(small, noonUnix, found)]);
    expect(Math.min(...runs.map(({ steps }) => steps))).toBe(0);
    expect(Math.max(...runs.map(({ steps }) => steps))).toBeGreaterThan(0);
    small.client.destroy();
  });
});

describe('audit while others write', () => {
  const finding = (problem: string): Finding => ({ check: 'stock', row: 'STK#org_1 / 1', problem });

  it('audit reports only what every look finds', async () => {
    const looks = [[finding('1 ticket'), finding('2 tickets')], [finding('2 tickets')], [finding('2 tickets')]];
    expect(await confirmed(async () => looks.shift(), { looks: 3, wait: async () => {} })).toEqual([
      finding('2 tickets'),
    ]);
  });

  it('audit skips what is written during every look', async () => {
    let looks = 0;
    const interrupted = async () => {
      looks += 1;
      return undefined;
    };
    expect(await confirmed(interrupted, { looks: 3, wait: async () => {} })).toEqual([]);
    expect(looks).toBe(3);
  });

  longTest('audit finds nothing while baskets are filled and checked out', async () => {
    const { deps, orgId } = await givenSales(table);
    const { price } = await givenOnSale(table, orgId);
    let selling = true;
    const sales = (async () => {
      for (let sold = 0; sold < 12; sold += 1) {
        const { basketId } = await givenBasket(deps, price, 2);
        if (sold % 2 === 0) await checkOutWith(deps, basketId);
      }
      selling = false;
    })();
    const found: Finding[] = [];
    while (selling) found.push(...(await findingsOf(table, orgId)));
    await sales;
    expect(found).toEqual([]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });
});

describe('admin audit', () => {
  it('audit of one event checks only this event, and refuses one that does not exist', async () => {
    const { orgId, eventId } = await givenSales(table);
    const { stdout } = await admin('audit', orgId, '--event', String(eventId), '--local', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ events: 1, orders: 2, scans: 2, customers: 0, members: 0 });
    const { exitCode, stderr } = await admin('audit', orgId, '--event', '4096', '--local', '--json');
    expect([exitCode, JSON.parse(stderr).error.code]).toEqual([1, 'event_missing']);
  });
});
