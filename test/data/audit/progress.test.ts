import { describe, expect, it } from 'vitest';
import { type AuditRunDeps, runAudit } from '../../../shared/data/audit/run.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { atOnce, givenSales } from '../../support/audit.ts';
import { noonUnix } from '../../support/baskets.ts';
import { modelTable } from '../../support/model-table.ts';
import { tableThatRepeatsEvents } from '../../support/repeating-table.ts';

const week = 7 * 86_400;

const depsOf = (table: Table, changes: Partial<AuditRunDeps> = {}): AuditRunDeps => ({
  table,
  nowUnix: noonUnix,
  confirmation: atOnce,
  maxReadUnits: 100_000,
  hasTime: () => true,
  report: () => {},
  reportStuck: () => {},
  ...changes,
});

describe('a round that does not end', () => {
  it('audit that would read the same event again and again says so and fails, in this run and in the next', async () => {
    const table = tableThatRepeatsEvents();
    const { orgId } = await givenSales(table);
    const stuck: unknown[] = [];
    const deps = depsOf(table, { reportStuck: (part) => stuck.push(part) });
    await expect(runAudit(deps)).rejects.toThrow('A part of the audit makes no progress');
    table.meter.reset();
    await expect(runAudit(deps)).rejects.toThrow(`{"org_id":"${orgId}","part":"events"}`);
    expect(stuck).toEqual(Array.from({ length: 2 }, () => ({ org_id: orgId, part: 'events' })));
    // It read the round and the next event, and nothing twice.
    expect(table.meter.calls).toBe(2);
  });

  it('audit reports a round that is not complete after a week, until it is', async () => {
    const table = modelTable();
    await givenSales(table);
    let steps = 0;
    const fewSteps = () => {
      steps += 1;
      return steps < 3;
    };
    const isOverdue = async (changes: Partial<AuditRunDeps>) => {
      steps = 0;
      return (await runAudit(depsOf(table, changes))).isOverdue;
    };
    expect(await isOverdue({ hasTime: fewSteps })).toBe(false);
    expect(await isOverdue({ hasTime: fewSteps, nowUnix: noonUnix + week })).toBe(false);
    expect(await isOverdue({ hasTime: fewSteps, nowUnix: noonUnix + week + 1 })).toBe(true);
    expect(await isOverdue({ nowUnix: noonUnix + week + 2 })).toBe(false);
  });
});
