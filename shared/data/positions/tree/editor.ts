import {
  type Child,
  childIndex,
  countOf,
  firstOf,
  type Inner,
  isLeaf,
  isSmall,
  isTooLarge,
  levelOf,
  lowerBound,
  mergedNode,
  nameOf,
  rootName,
  splitNode,
  type TreeNode,
} from './node.ts';

/** The nodes that an edit writes, by their names; undefined for those that it removes. */
export type Edits = ReadonlyMap<string, TreeNode | undefined>;

export interface TreeSource {
  /** Reads a node as it is stored. */
  readonly read: (name: string, version: number) => Promise<TreeNode>;
  /** The version that all edited nodes get. */
  readonly version: number;
}

/** Inserts keys into a tree and removes keys from it, in memory. A node whose first key changes gets another name. */
export class TreeEditor {
  readonly #source: TreeSource;
  #root: TreeNode;
  #edits: Edits = new Map();

  constructor(root: TreeNode, source: TreeSource) {
    this.#root = root;
    this.#source = source;
  }

  get root(): TreeNode {
    return this.#root;
  }

  get edits(): Edits {
    return this.#edits;
  }

  /** Returns a function that undoes everything after this moment. */
  savepoint(): () => void {
    const [root, edits] = [this.#root, this.#edits];
    return () => {
      this.#root = root;
      this.#edits = edits;
    };
  }

  /** Returns false, and changes nothing, if the tree has the key already. */
  async insert(key: string): Promise<boolean> {
    const nodes = await this.#inserted(this.#root, key, true);
    if (nodes === undefined) return false;
    const [left, right] = nodes;
    this.#setRoot(
      right === undefined ? left : { level: levelOf(left) + 1, children: [this.#stored(left), this.#stored(right)] },
    );
    return true;
  }

  /** Returns false, and changes nothing, if the tree does not have the key. */
  async remove(key: string): Promise<boolean> {
    let root = await this.#removed(this.#root, key);
    if (root === undefined) return false;
    for (let level = levelOf(root) - 1; !isLeaf(root) && root.children.length <= 1; level -= 1) {
      const only: Child | undefined = root.children[0];
      root = only === undefined ? { keys: [] } : await this.#read(level, only);
      if (only !== undefined) this.#set(nameOf(level, only.first), undefined);
    }
    this.#setRoot(root);
    return true;
  }

  #setRoot(root: TreeNode): void {
    this.#root = root;
    this.#set(rootName, root);
  }

  #set(name: string, node: TreeNode | undefined): void {
    this.#edits = new Map(this.#edits).set(name, node);
  }

  /** Stores a node, and returns its entry in the parent. */
  #stored(node: TreeNode): Child {
    const first = firstOf(node);
    this.#set(nameOf(levelOf(node), first), node);
    return { first, count: countOf(node), version: this.#source.version };
  }

  /** Stores a node in the place of a child. */
  #replaced(child: Child, node: TreeNode): Child {
    if (child.first !== firstOf(node)) this.#set(nameOf(levelOf(node), child.first), undefined);
    return this.#stored(node);
  }

  async #read(level: number, { first, version }: Child): Promise<TreeNode> {
    const name = nameOf(level, first);
    return this.#edits.get(name) ?? this.#source.read(name, version);
  }

  /** Returns the node with the key, as two nodes if it became too large; undefined if the key exists. */
  async #inserted(
    node: TreeNode,
    key: string,
    isRightmost: boolean,
  ): Promise<readonly [TreeNode, TreeNode?] | undefined> {
    const grown = isLeaf(node) ? insertedKey(node.keys, key) : await this.#insertedBelow(node, key, isRightmost);
    if (grown === undefined) return undefined;
    return isTooLarge(grown) ? splitNode(grown, isRightmost && isLastOf(grown, key)) : [grown];
  }

  async #insertedBelow({ level, children }: Inner, key: string, isRightmost: boolean): Promise<Inner | undefined> {
    const index = childIndex(children, key);
    const child = childAt(children, index);
    const node = await this.#read(level - 1, child);
    const nodes = await this.#inserted(node, key, isRightmost && index === children.length - 1);
    if (nodes === undefined) return undefined;
    const [left, right] = nodes;
    // The right node may get the name that the left one had.
    const kept = this.#replaced(child, left);
    const added = right === undefined ? [] : [this.#stored(right)];
    return { level, children: children.toSpliced(index, 1, kept, ...added) };
  }

  /** Returns the node without the key, possibly empty; undefined if the key does not exist. */
  async #removed(node: TreeNode, key: string): Promise<TreeNode | undefined> {
    if (isLeaf(node)) {
      const index = lowerBound(node.keys, key);
      return node.keys[index] === key ? { keys: node.keys.toSpliced(index, 1) } : undefined;
    }
    const { level, children } = node;
    const index = childIndex(children, key);
    const child = childAt(children, index);
    const shrunk = await this.#removed(await this.#read(level - 1, child), key);
    if (shrunk === undefined) return undefined;
    if (countOf(shrunk) === 0) {
      this.#set(nameOf(level - 1, child.first), undefined);
      return { level, children: children.toSpliced(index, 1) };
    }
    const left = children.toSpliced(index, 1, this.#replaced(child, shrunk));
    return { level, children: isSmall(shrunk) ? await this.#merged(level - 1, left, index) : left };
  }

  /** Merges a small child with the one after it, or the last with the one before it, if both fit into one node. */
  async #merged(level: number, children: readonly Child[], index: number): Promise<readonly Child[]> {
    if (children.length < 2) return children;
    const at = Math.min(index, children.length - 2);
    const [left, right] = [childAt(children, at), childAt(children, at + 1)];
    const merged = mergedNode(await this.#read(level, left), await this.#read(level, right));
    if (merged === undefined) return children;
    this.#set(nameOf(level, right.first), undefined);
    return children.toSpliced(at, 2, this.#stored(merged));
  }
}

function insertedKey(keys: readonly string[], key: string): TreeNode | undefined {
  const index = lowerBound(keys, key);
  return keys[index] === key ? undefined : { keys: keys.toSpliced(index, 0, key) };
}

const isLastOf = (node: TreeNode, key: string): boolean => (isLeaf(node) ? node.keys.at(-1) === key : true);

function childAt(children: readonly Child[], index: number): Child {
  const child = children[index];
  if (child === undefined) throw new Error('An inner node of a position tree has no children.');
  return child;
}
