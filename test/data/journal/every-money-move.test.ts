import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { findingsOf } from '../../support/audit.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { watchedTable } from '../../support/cost/transacted-units.ts';
import { isOf, isVersioned, kindsOfMoves, moneyMoves } from '../../support/money-moves.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the journal has one entry for what moved money', () => {
  it('has an example of each kind of a move', () => {
    const shown = new Set(Object.values(moneyMoves).map(({ moved }) => moved));
    expect([...shown].sort()).toEqual(Object.keys(kindsOfMoves).sort());
  });

  it.each(Object.entries(moneyMoves))(
    '%s: refused none, at the same moment and repeated one',
    async (_name, example) => {
      const { watched, transactions } = watchedTable(table);
      const deps = newCheckoutDeps(watched);
      const { orderId, move, refused } = await example.given(deps);
      const kinds = async () => (await entriesOfOrder(table, deps.orgId, orderId)).map(({ kind }) => kind);
      const before = await kinds();
      await refused();
      expect(await kinds()).toEqual(before);
      deps.nowUnix += 60;
      // One of two may be told that the other is at work.
      await Promise.allSettled([move(), move()]);
      expect(await kinds()).toEqual([...before, example.kind]);
      await move();
      expect(await kinds()).toEqual([...before, example.kind]);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
      // The row whose version proves the change is written in the same transaction, on the condition that nobody changed it meanwhile.
      const entering = transactions.filter((items) => items.some(({ Put }) => isOf(['JRN'], Put?.Item)));
      expect(entering.length).toBeGreaterThan(0);
      for (const items of entering) {
        const proofs = items.filter(({ Put }) => isOf(['BSK', 'ORD', 'PLN'], Put?.Item) && isVersioned(Put));
        expect(proofs.length).toBeGreaterThan(0);
      }
    },
  );
});

it('only the door of the journal knows the key of an entry', () => {
  const files = globSync('{admin,functions,local,shared}/**/*.ts').filter(
    (file) => file !== 'shared/data/table/keys.ts',
  );
  const writers = files.filter((file) => readFileSync(file, 'utf8').includes('journalKey('));
  expect(writers).toEqual(['shared/data/journal/row.ts']);
});
