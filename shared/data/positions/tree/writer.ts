import { positionNodeKey } from '../../table/keys.ts';
import { carried } from '../../table/row.ts';
import type { Table } from '../../table/table.ts';
import { maxTransactionItems, type TransactItem, transact } from '../../table/transact.ts';
import { keysIn, type PositionChange } from '../change.ts';
import { TreeEditor } from './editor.ts';
import { emptyTree, rootName, type TreeNode } from './node.ts';
import { splitChange } from './split-change.ts';
import { NodeReader, nodeItem, stateItem, stateUnchanged, TreeChanged, type Trees, type TreesState } from './stored.ts';

/** The state names them, and every reader reads the state. */
const maxChanges = 100;

/** Applies changes to the trees of a resource: edits them in memory and writes as many changes at once as one transaction can. */
export class TreesWriter {
  readonly #table: Table;
  readonly #trees: Trees;
  readonly #deleteChanges: (sortKeys: readonly string[]) => Promise<void>;
  /** One for each list. They remember the nodes, so none is read twice. */
  readonly #readers = new Map<string, NodeReader>();
  #editors = new Map<string, TreeEditor>();
  #changes: string[] = [];
  state: TreesState;
  applied = 0;

  constructor(
    table: Table,
    trees: Trees,
    state: TreesState,
    deleteChanges: (sortKeys: readonly string[]) => Promise<void>,
  ) {
    this.#table = table;
    this.#trees = trees;
    this.#deleteChanges = deleteChanges;
    this.state = state;
  }

  /** Returns false, and changes nothing, if the change does not match the trees. */
  async add(change: PositionChange): Promise<boolean> {
    if (this.#changes.length === maxChanges) await this.commit();
    const undo = await this.#savepoint(change);
    if (!(await this.#edit(change))) {
      undo();
      return false;
    }
    // One item of the transaction is the state.
    if (this.#editedNodes >= maxTransactionItems) {
      undo();
      if (this.#changes.length === 0) return this.#addInParts(change);
      await this.commit();
      return this.add(change);
    }
    this.#changes.push(change.sk);
    return true;
  }

  /** A change of many keys edits more nodes than a transaction can write. Its parts are applied one after the other. */
  async #addInParts(change: PositionChange): Promise<boolean> {
    // A part that does not match the trees stays, as any change does.
    const parts = await splitChange(this.#table, this.#trees, change, this.state);
    for (const part of parts) await this.add(part);
    return true;
  }

  get #editedNodes(): number {
    return [...this.#editors.values()].reduce((sum, { edits }) => sum + edits.size, 0);
  }

  async #savepoint({ added, removed }: PositionChange): Promise<() => void> {
    const lists = new Set([...Object.keys(added), ...Object.keys(removed)]);
    const undos: (() => void)[] = [];
    for (const list of lists) undos.push((await this.#editorOf(list)).savepoint());
    return () => {
      for (const undo of undos) undo();
    };
  }

  async #edit({ added, removed }: PositionChange): Promise<boolean> {
    for (const list of Object.keys(removed)) {
      const editor = await this.#editorOf(list);
      for (const key of keysIn(removed, list)) if (!(await editor.remove(key))) return false;
    }
    for (const list of Object.keys(added)) {
      const editor = await this.#editorOf(list);
      for (const key of keysIn(added, list)) if (!(await editor.insert(key))) return false;
    }
    return true;
  }

  async #editorOf(list: string): Promise<TreeEditor> {
    const known = this.#editors.get(list);
    if (known !== undefined) return known;
    const version = this.state.roots[list];
    const read = (name: string, written: number) => this.#read(list, name, written);
    const root = version === undefined ? emptyTree : await read(rootName, version);
    const editor = new TreeEditor(root, { read, version: this.state.version + 1 });
    this.#editors.set(list, editor);
    return editor;
  }

  async #read(list: string, name: string, version: number): Promise<TreeNode> {
    const [node = emptyTree] = await this.#readerOf(list).read([{ name, version }]);
    return node;
  }

  #readerOf(list: string): NodeReader {
    const reader = this.#readers.get(list) ?? new NodeReader(this.#table, { ...this.#trees, list });
    this.#readers.set(list, reader);
    return reader;
  }

  /** Writes the edited nodes and the state, then deletes the changes. Throws `TreeChanged` if another process was faster. */
  async commit(): Promise<void> {
    if (this.#changes.length === 0) return;
    const version = this.state.version + 1;
    const edited = [...this.#editors].filter(([, { edits }]) => edits.size > 0);
    const roots = Object.fromEntries(edited.map(([list]) => [list, version]));
    const next: TreesState = {
      ...carried(this.state),
      version,
      roots: { ...this.state.roots, ...roots },
      applied: this.#changes,
    };
    const nodes = edited.flatMap(([list, { edits }]) =>
      [...edits].map(([name, node]) => this.#write(list, { name, node, version })),
    );
    const refused = await transact(this.#table, [this.#statePut(next), ...nodes]);
    if (refused.length > 0) throw new TreeChanged('Another process has changed the trees.');
    await this.#deleteChanges(this.#changes);
    this.applied += this.#changes.length;
    this.state = next;
    this.#changes = [];
    this.#editors = new Map();
  }

  #write(
    list: string,
    { name, node, version }: { readonly name: string; readonly node: TreeNode | undefined; readonly version: number },
  ): TransactItem {
    const TableName = this.#table.name;
    const { orgId, resource } = this.#trees;
    if (node === undefined) return { Delete: { TableName, Key: positionNodeKey(orgId, resource, list, name) } };
    this.#readerOf(list).remember({ name, node, version });
    return { Put: { TableName, Item: nodeItem({ ...this.#trees, list }, { name, node, version }) } };
  }

  #statePut(next: TreesState): TransactItem {
    return {
      Put: {
        TableName: this.#table.name,
        Item: stateItem(this.#trees, next),
        ...stateUnchanged(this.state),
      },
    };
  }
}
