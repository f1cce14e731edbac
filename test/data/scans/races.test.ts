import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { tableWithFaults } from '../../support/figures/figures-agreement.ts';
import { givenMatchDay } from '../../support/match-day.ts';
import { randomDay } from '../../support/scan-histories.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('concurrent scans of one barcode', () => {
  it.each([
    ['fifty', 'ticket', 50],
    ['a dozen', 'member', 12],
  ] as const)('%s gates that scan concurrently admit the %s once', async (_count, kind, count) => {
    const day = await givenMatchDay(table);
    const { barcode } = kind === 'ticket' ? await day.sell() : await day.enrol();
    const responses = await Promise.all(
      Array.from({ length: count }, (_, gate) => day.scan(barcode, { gate_id: gate + 1, nonce: `${gate}` })),
    );
    const ok = responses.filter(({ result }) => result === 'ok');
    const refused = responses.filter(({ result }) => result === 'already_scanned');
    expect([ok.length, refused.length]).toEqual([1, count - 1]);
    for (const { first_scan } of refused) expect(first_scan).toEqual(ok[0]?.scan);
    expect(await eventOperations(() => table, day.orgId).scans(day.eventId)).toMatchObject({ total: count });
  });
});

describe('random concurrent scans, live and late', () => {
  it('random scans never admit twice without an exit in between, lose nothing, and the figures match the list', async () => {
    await fc.assert(
      randomDay(() => table, { minLength: amount(6, 20), maxLength: amount(14, 80) }),
      { numRuns: amount(3, 40) },
    );
  });

  it('random scans on a table with conflicts and lost responses never admit twice without an exit in between', async () => {
    await fc.assert(
      randomDay(() => table, { minLength: amount(6, 10), maxLength: amount(10, 40) }, tableWithFaults),
      { numRuns: amount(1, 20) },
    );
  });
});
