import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { tableWithFaults } from '../support/figures/figures-agreement.ts';
import { randomDay } from '../support/scan-histories.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('random scans of long days, live and late, never admit twice without an exit in between', async () => {
  await fc.assert(
    randomDay(() => table, { minLength: 20, maxLength: 80 }),
    { numRuns: 40 },
  );
});

it('random scans on a table with conflicts and lost responses never admit twice without an exit in between', async () => {
  await fc.assert(
    randomDay(() => table, { minLength: 10, maxLength: 40 }, tableWithFaults),
    { numRuns: 20 },
  );
});
