import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { builtPositionItems } from '../../../shared/data/positions/build.ts';
import { positionChangePut, type SortKeys } from '../../../shared/data/positions/change.ts';
import { countKeys, type KeyList, keyAt, keysInOrder, presentKeys } from '../../../shared/data/positions/read.ts';
import { splitChange } from '../../../shared/data/positions/tree/split-change.ts';
import { TreeChanged, type Trees } from '../../../shared/data/positions/tree/stored.ts';
import { readAllChanges } from '../../../shared/data/positions/tree/waiting-changes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type TransactItem, transact } from '../../../shared/data/table/transact.ts';
import { idText } from '../../../shared/domain/ids.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { collect } from '../../support/collect.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { storedTreeKeys } from '../../support/position-trees.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const lists = ['by-id', 'by-name', 'some'] as const;
/** Long names make small trees deep. */
const names = ['', 'anna', 'Müller', '李小龍', '😀', '\uffff', 'x'.repeat(150), '李'.repeat(150)];

const inOrder = (keys: Iterable<string>): string[] =>
  [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const numbered = (first: number, last: number): [id: number, name: number][] =>
  Array.from({ length: last - first + 1 }, (_, index) => [first + index, first + index]);

/** Rows that change, and what their lists must contain. */
class Rows {
  readonly trees: Trees;
  readonly #rows = new Map<number, { readonly version: number; readonly keys: SortKeys }>();

  constructor(orgId: string) {
    this.trees = { orgId, resource: 'customers' };
  }

  async save(...rows: readonly (readonly [id: number, name: number])[]): Promise<void> {
    const items = rows.flatMap(([id, name]) => this.#change(id, name));
    if (items.length > 0) await transact(table, items);
  }

  #change(id: number, name: number): TransactItem[] {
    const before = this.#rows.get(id);
    const sortName = `${names[name % names.length]}\u0000${idText(id)}`;
    // A row leaves the third list and comes back.
    const after = { 'by-id': idText(id), 'by-name': sortName, ...(name % 3 > 0 && { some: sortName }) };
    const version = (before?.version ?? 0) + 1;
    this.#rows.set(id, { version, keys: after });
    const { orgId, resource } = this.trees;
    const change = { id, version, before: before?.keys, after };
    return positionChangePut(table, orgId, resource, change);
  }

  keysOf(list: string): string[] {
    return inOrder([...this.#rows.values()].flatMap(({ keys }) => keys[list] ?? []));
  }

  /** Reads the keys from some offsets of each list on, in both directions, all at the same time. */
  async check(offsets: readonly number[]): Promise<void> {
    const wanted = lists.flatMap((list) =>
      [true, false].flatMap((descending) => offsets.map((offset) => ({ list, descending, offset }))),
    );
    await Promise.all(
      wanted.map(async ({ list, descending, offset }) => {
        const keys = descending ? this.keysOf(list).toReversed() : this.keysOf(list);
        expect(await allKeys({ ...this.trees, list, descending }, offset, 7)).toEqual(keys.slice(offset));
      }),
    );
  }
}

async function allKeys(list: KeyList, offset: number, first: number): Promise<readonly string[]> {
  return (await collect(keysInOrder(table, list, { offset, first }))).flat();
}

type Step =
  | { readonly kind: 'save'; readonly rows: readonly (readonly [number, number])[] }
  | { readonly kind: 'apply'; readonly processes: number }
  | { readonly kind: 'crash'; readonly at: number; readonly when: 'before' | 'after' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(20)), { maxLength: 25, size: 'max' }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('apply' as const), processes: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      at: fc.integer({ min: 1, max: 12 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);

async function run(rows: Rows, one: Step): Promise<void> {
  if (one.kind === 'save') {
    await rows.save(...one.rows);
  } else if (one.kind === 'apply') {
    await Promise.all(Array.from({ length: one.processes }, () => applyPositionChanges(table, rows.trees)));
  } else {
    const crashPoint = new CrashPoint(one.at, one.when);
    await crashPoint.resultOf(applyPositionChanges(crashingTable(table, crashPoint), rows.trees));
  }
}

describe('positions in lists', () => {
  it('are exact after any changes, applied by any processes, any of which may crash', async () => {
    let organisations = 0;
    const steps = fc.array(step, { minLength: 4, maxLength: 8, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(60), { minLength: 2, maxLength: 2 }), async (all, offsets) => {
        organisations += 1;
        const rows = new Rows(`org_any${organisations}`);
        for (const one of all) {
          await run(rows, one);
          await rows.check(offsets);
        }
        expect(await applyPositionChanges(table, rows.trees)).toMatchObject({ inapplicable: 0 });
        expect(await readAllChanges(table, rows.trees)).toMatchObject({ pending: [], applied: [] });
        for (const list of lists) {
          expect(await storedTreeKeys(table, rows.trees, list)).toEqual(rows.keysOf(list));
          expect(await countKeys(table, { ...rows.trees, list })).toBe(rows.keysOf(list).length);
        }
        await rows.check(offsets);
      }),
      { numRuns: amount(3, 8), endOnFailure: true },
    );
  });

  it('are exact while changes are applied, and concurrent writers do not conflict', async () => {
    const rows = new Rows('org_concurrent');
    await rows.save(...numbered(1, 40));
    const all = lists.map((list) => rows.keysOf(list));
    let isApplying = true;
    const applying = Promise.all([1, 2, 3].map(() => applyPositionChanges(table, rows.trees))).finally(() => {
      isApplying = false;
    });
    let checks = 0;
    while (isApplying || checks < 3) {
      await rows.check([0, 1, 7, 20, 39, 40, 400]);
      checks += 1;
    }
    expect((await applying).reduce((sum, { applied }) => sum + applied, 0)).toBe(40);
    expect(await Promise.all(lists.map((list) => storedTreeKeys(table, rows.trees, list)))).toEqual(all);

    const writers = Array.from({ length: 50 }, (_, index) => rows.save([100 + index, index]));
    const applied = (async () => {
      for (let round = 0; round < 10; round += 1) await applyPositionChanges(table, rows.trees);
    })();
    await Promise.all([...writers, applied]);
    await rows.check([0, 30, 89]);
    expect(await applyPositionChanges(table, rows.trees)).toMatchObject({ inapplicable: 0 });
    await rows.check([0, 30, 89]);
  });

  it('are counted within a range of sort keys', async () => {
    const rows = new Rows('org_range');
    await rows.save(...numbered(1, 30));
    await applyPositionChanges(table, rows.trees);
    await rows.save(...numbered(31, 50));
    const keys = rows.keysOf('by-id').slice(9, 40);
    const wanted = { ...rows.trees, list: 'by-id', from: idText(10), to: idText(40) };
    for (const offset of [0, 1, 15, 30, 31, 99]) {
      expect(await allKeys({ ...wanted, descending: false }, offset, 7)).toEqual(keys.slice(offset));
      expect(await allKeys({ ...wanted, descending: true }, offset, 7)).toEqual(keys.toReversed().slice(offset));
    }
    const some = ['', ...keys.slice(3, 9), idText(77)];
    expect([...(await presentKeys(table, { ...rows.trees, list: 'by-id' }, some))]).toEqual(keys.slice(3, 9));
  });

  it('of a change with more keys than a transaction can write are applied part by part', async () => {
    const trees = { orgId: 'org_many_keys', resource: 'member-words' } as const;
    const rows = Array.from({ length: 400 }, (_, id) => ({ words: [`${(id * 7_919) % 400} ${'x'.repeat(150)}`] }));
    await putItems(table, [...builtPositionItems(trees, rows)]);
    const list = { ...trees, list: 'words', descending: false } as const;
    const before = rows.map(({ words }) => words[0] ?? '');
    const some = before.filter((_, index) => index % 5 === 0);
    const others = some.map((key) => `${key}y`);
    const change = { id: 1, version: 2, before: { words: some }, after: { words: others } };
    await transact(table, positionChangePut(table, trees.orgId, trees.resource, change));
    const expected = inOrder([...before.filter((key) => !some.includes(key)), ...others]);
    expect(await allKeys(list, 0, 7)).toEqual(expected);
    const crashPoint = new CrashPoint(12, 'after');
    await crashPoint.resultOf(applyPositionChanges(crashingTable(table, crashPoint), trees));
    expect(await allKeys(list, 0, 7)).toEqual(expected);
    expect(await applyPositionChanges(table, trees)).toMatchObject({ inapplicable: 0 });
    expect(await storedTreeKeys(table, trees, 'words')).toEqual(expected);
    expect((await readAllChanges(table, trees)).pending).toEqual([]);
  });

  it('of a change with more parts than a transaction can write are applied, too', async () => {
    const trees = { orgId: 'org_many_parts', resource: 'member-words' } as const;
    const words = Array.from({ length: 900 }, (_, id) => `${id} ${'x'.repeat(150)}`);
    const change = { id: 1, version: 1, before: undefined, after: { words } };
    await transact(table, positionChangePut(table, trees.orgId, trees.resource, change));
    expect(await applyPositionChanges(table, trees)).toMatchObject({ inapplicable: 0 });
    expect(await storedTreeKeys(table, trees, 'words')).toEqual(inOrder(words));
    expect((await readAllChanges(table, trees)).pending).toEqual([]);
  });

  it('of a change that another process has applied are not split into parts', async () => {
    const trees = { orgId: 'org_late_split', resource: 'member-words' } as const;
    const change = { id: 1, version: 1, before: undefined, after: { words: ['anna', 'berta'] } };
    await transact(table, positionChangePut(table, trees.orgId, trees.resource, change));
    const { state, pending } = await readAllChanges(table, trees);
    const [read] = pending;
    if (read === undefined) throw new Error('The change is missing.');
    const crashPoint = new CrashPoint(3, 'before');
    await crashPoint.resultOf(applyPositionChanges(crashingTable(table, crashPoint), trees));
    expect((await readAllChanges(table, trees)).state.applied).toEqual([read.sk]);
    await expect(splitChange(table, trees, read, state)).rejects.toThrow(TreeChanged);
    expect(await allKeys({ ...trees, list: 'words', descending: false }, 0, 7)).toEqual(['anna', 'berta']);
    expect(await applyPositionChanges(table, trees)).toMatchObject({ inapplicable: 0 });
    expect((await readAllChanges(table, trees)).pending).toEqual([]);
  });

  it('are not in the trees until enough changes wait', async () => {
    const rows = new Rows('org_few');
    await rows.save(...numbered(1, 9));
    expect(await applyPositionChanges(table, rows.trees, { atLeast: 10 })).toEqual({ applied: 0, inapplicable: 0 });
    await rows.save(...numbered(10, 10));
    expect(await applyPositionChanges(table, rows.trees, { atLeast: 10 })).toEqual({ applied: 10, inapplicable: 0 });
    await rows.check([0, 5, 10]);
  });
});

describe('cost of a position', () => {
  const trees = (size: number): Trees => ({ orgId: `org_cost${size}`, resource: 'customers' });
  const sortKeys = (index: number): SortKeys => ({
    added: idText(index),
    email: `fan${(index * 7_919) % 1_000_003}@example.com\u0000${idText(index)}`,
  });

  it.each([2_000, 20_000])('is at most five read units among %d rows', async (size) => {
    const rows = Array.from({ length: size }, (_, index) => sortKeys(index));
    await putItems(table, [...builtPositionItems(trees(size), rows)]);
    const keys = inOrder(rows.flatMap(({ email = '' }) => email));
    for (const offset of [100, size / 2, size - 1]) {
      for (const descending of [true, false]) {
        const wanted = { ...trees(size), list: 'email', descending };
        table.meter.reset();
        const key = await keyAt(table, wanted, offset);
        expect(table.meter.readUnits).toBeLessThanOrEqual(5);
        expect(key).toBe((descending ? keys.toReversed() : keys)[offset]);
      }
    }
    expect(await keyAt(table, { ...trees(size), list: 'email', descending: true }, size)).toBeUndefined();
  });

  it('is at most 10 read units for each 1,000 of the keys that follow it, and 6', async () => {
    const size = 20_000;
    for (const [offset, count] of [
      [0, 500],
      [700, 5_000],
      [0, size],
    ] as const) {
      table.meter.reset();
      const part = keysInOrder(table, { ...trees(size), list: 'email', descending: false }, { offset, first: count });
      expect((await part.next()).value).toHaveLength(count);
      expect(table.meter.readUnits).toBeLessThanOrEqual((10 * count) / 1_000 + 6);
      expect(table.meter.calls).toBeLessThanOrEqual(8);
    }
  });
});
