import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelRefunds } from '../../../shared/domain/members/cancellation.ts';
import { runCancelCrash } from '../../support/faults/cancel-crash-scenario.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe.each(crashMoments)('a cancellation whose process dies %s a call', (when) => {
  it.each(cancelRefunds)(
    'with refund %s ends everything together, or nothing, and returns the money once',
    async (refund) => {
      for (const at of crashPoints()) {
        if (await runCancelCrash({ table, at, when }, refund)) continue;
        expect(at).toBeGreaterThan(5);
        return;
      }
    },
  );
});
