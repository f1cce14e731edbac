import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSortKeys } from '../../shared/data/lists/compare-sort-keys.ts';
import { CorrectedTree, differenceOf } from '../../shared/data/positions/tree/corrected-tree.ts';
import { TreeEditor } from '../../shared/data/positions/tree/editor.ts';
import { emptyTree, nameOf, rootName, type TreeNode } from '../../shared/data/positions/tree/node.ts';
import { keysOfTree } from '../support/position-trees.ts';

const inOrder = (keys: Iterable<string>): string[] =>
  [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

/** A tree in memory. */
class MemoryTree {
  readonly #nodes = new Map<string, TreeNode>();
  root: TreeNode = emptyTree;
  readonly read = async (name: string): Promise<TreeNode> => {
    const node = this.#nodes.get(name);
    if (node === undefined) throw new Error(`There is no node ${name}.`);
    return node;
  };

  async edit(work: (editor: TreeEditor) => Promise<void>): Promise<void> {
    const editor = new TreeEditor(this.root, { read: this.read, version: 1 });
    await work(editor);
    this.root = editor.root;
    for (const [name, node] of editor.edits) {
      if (node === undefined) this.#nodes.delete(name);
      else this.#nodes.set(name, node);
    }
  }

  get names(): readonly string[] {
    return [...this.#nodes.keys()];
  }
}

const names = ['a', 'Müller', '李小龍', '😀', '\uffff', '\u{10ffff}', 'x'.repeat(150), '李'.repeat(150), ''];
const key = fc
  .tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: 999 }))
  .map(([name, id]) => `${name}\u0000${String(id).padStart(16, '0')}`);

describe('order of sort keys', () => {
  it('compareSortKeys compares as DynamoDB does, by UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(Math.sign(compareSortKeys(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
      }),
      { numRuns: 500 },
    );
  });
});

async function insert(editor: TreeEditor, expected: Set<string>, keys: readonly string[]): Promise<void> {
  for (const one of keys) {
    expect(await editor.insert(one)).toBe(!expected.has(one));
    expected.add(one);
  }
}

/** Removes a third of the keys that exist, and some that may not exist. */
async function removeSome(editor: TreeEditor, expected: Set<string>, others: readonly string[]): Promise<void> {
  for (const one of [...others.slice(20), ...[...expected].filter((_, index) => index % 3 === 0)]) {
    expect(await editor.remove(one)).toBe(expected.delete(one));
  }
}

describe('position tree', () => {
  it('has the inserted keys that were not removed, in order, with exact counts and first keys', async () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.uniqueArray(key, { maxLength: 40, size: 'max' })), {
      maxLength: 25,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(steps, async (batches) => {
        const tree = new MemoryTree();
        const expected = new Set<string>();
        for (const [isRemoval, keys] of batches) {
          await tree.edit((editor) =>
            isRemoval ? removeSome(editor, expected, keys) : insert(editor, expected, keys),
          );
          const reached = new Set<string>();
          const read = (name: string) => {
            reached.add(name);
            return tree.read(name);
          };
          expect(await keysOfTree(tree.root, read)).toEqual(inOrder(expected));
          // No node that lost its name is left: names contain keys of rows.
          expect(tree.names.filter((name) => name !== rootName && !reached.has(name))).toEqual([]);
        }
        await tree.edit(async (editor) => {
          for (const one of expected) expect(await editor.remove(one)).toBe(true);
        });
        expect(tree.root).toEqual(emptyTree);
        expect(tree.names.filter((name) => name !== rootName)).toEqual([]);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('undoes edits back to a savepoint', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => String((index * 7_919) % 10_007).padStart(16, '0'));
    const tree = new MemoryTree();
    await tree.edit(async (editor) => {
      for (const one of keys.slice(0, 250)) await editor.insert(one);
      const undo = editor.savepoint();
      for (const one of keys.slice(250)) await editor.insert(one);
      for (const one of keys.slice(0, 200)) await editor.remove(one);
      undo();
    });
    expect(await keysOfTree(tree.root, tree.read)).toEqual(keys.slice(0, 250).sort());
  });

  it('keeps leaves full where keys are appended', async () => {
    const tree = new MemoryTree();
    await tree.edit(async (editor) => {
      for (let index = 0; index < 5_000; index += 1) await editor.insert(String(index).padStart(16, '0'));
    });
    expect(tree.names.length).toBeLessThan(5_000 / 45);
  });

  it('finds the key at every position and the rank of every key, also for changes that it does not contain yet', async () => {
    const keysOf = (maxLength: number) => fc.uniqueArray(key, { maxLength, size: 'max' });
    await fc.assert(
      fc.asyncProperty(keysOf(150), keysOf(60), fc.nat(5), async (stored, added, every) => {
        const tree = new MemoryTree();
        await tree.edit(async (editor) => {
          for (const one of stored) await editor.insert(one);
        });
        const removed = stored.filter((_, index) => index % (every + 1) === 0);
        const gained = added.filter((one) => !stored.includes(one));
        // Keys that come and go, the removal first.
        const passing = [...gained, ...stored].slice(0, 10);
        const changes = [
          ...passing.map((one) => ({ sk: '', added: {}, removed: { list: one } })),
          ...gained.map((one) => ({ sk: '', added: { list: one }, removed: {} })),
          ...removed.map((one) => ({ sk: '', added: {}, removed: { list: one } })),
          ...passing.map((one) => ({ sk: '', added: { list: one }, removed: {} })),
        ];
        const positions = new CorrectedTree(tree.root, differenceOf(changes, 'list'), (level, children) =>
          Promise.all(children.map(({ first }) => tree.read(nameOf(level, first)))),
        );
        expect(await positions.wrongNodes({ from: undefined, to: undefined })).toEqual([]);
        const expected = inOrder([...stored.filter((one) => !removed.includes(one)), ...gained]);
        expect(positions.count).toBe(expected.length);
        for (const [index, one] of expected.entries()) {
          expect(await positions.keysBetween(index, index + 1)).toEqual([one]);
          expect(await positions.rankOf(one)).toBe(index);
          expect(await positions.rankOf(`${one}\u0000`)).toBe(index + 1);
        }
        expect(await positions.keysBetween(expected.length, expected.length + 1)).toEqual([]);
        for (const [from, to] of [
          [0, expected.length],
          [3, 90],
          [expected.length - 40, expected.length + 9],
        ] as const) {
          expect(await positions.keysBetween(Math.max(0, from), to)).toEqual(expected.slice(Math.max(0, from), to));
        }
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
