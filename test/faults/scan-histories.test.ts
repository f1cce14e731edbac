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

it('long days at the gates, live and late, keep one ok without an out in between', async () => {
  await fc.assert(
    randomDay(() => table, { minLength: 20, maxLength: 80 }),
    { numRuns: 40 },
  );
});

it('and so they do on a table where transactions meet and answers are lost', async () => {
  await fc.assert(
    randomDay(() => table, { minLength: 10, maxLength: 40 }, tableWithFaults),
    { numRuns: 20 },
  );
});
