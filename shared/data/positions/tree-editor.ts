import {
  type Child,
  childIndex,
  countOf,
  firstOf,
  type Inner,
  isLeaf,
  isSmall,
  isTooLarge,
  lowerBound,
  mergedNode,
  splitNode,
  type TreeNode,
} from './tree.ts';

/** The nodes that an edit writes, by their ids; undefined for those that it removes. */
export type Edits = ReadonlyMap<number, TreeNode | undefined>;

export const rootId = 0;

export interface TreeSource {
  /** Reads a node as it is stored. */
  readonly read: (child: Pick<Child, 'id' | 'version'>) => Promise<TreeNode>;
  readonly newId: () => number;
  /** The version that all edited nodes get. */
  readonly version: number;
}

/** Inserts keys into a tree and removes keys from it, in memory. The root keeps its id. */
export class TreeEditor {
  readonly #source: TreeSource;
  #root: TreeNode;
  #edits: ReadonlyMap<number, TreeNode | undefined> = new Map();

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
      right === undefined
        ? left
        : { children: [this.#stored(this.#source.newId(), left), this.#stored(this.#source.newId(), right)] },
    );
    return true;
  }

  /** Returns false, and changes nothing, if the tree does not have the key. */
  async remove(key: string): Promise<boolean> {
    let root = await this.#removed(this.#root, key);
    if (root === undefined) return false;
    while (!isLeaf(root) && root.children.length <= 1) {
      const only: Child | undefined = root.children[0];
      root = only === undefined ? { keys: [] } : await this.#read(only);
      if (only !== undefined) this.#set(only.id, undefined);
    }
    this.#setRoot(root);
    return true;
  }

  #setRoot(root: TreeNode): void {
    this.#root = root;
    this.#set(rootId, root);
  }

  #set(id: number, node: TreeNode | undefined): void {
    this.#edits = new Map(this.#edits).set(id, node);
  }

  /** Stores a node under an id, and returns its entry in the parent. */
  #stored(id: number, node: TreeNode): Child {
    this.#set(id, node);
    return { id, first: firstOf(node), count: countOf(node), version: this.#source.version };
  }

  async #read(child: Child): Promise<TreeNode> {
    return this.#edits.get(child.id) ?? this.#source.read(child);
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

  async #insertedBelow({ children }: Inner, key: string, isRightmost: boolean): Promise<Inner | undefined> {
    const index = childIndex(children, key);
    const child = childAt(children, index);
    const nodes = await this.#inserted(await this.#read(child), key, isRightmost && index === children.length - 1);
    if (nodes === undefined) return undefined;
    const [left, right] = nodes;
    const added = right === undefined ? [] : [this.#stored(this.#source.newId(), right)];
    return { children: children.toSpliced(index, 1, this.#stored(child.id, left), ...added) };
  }

  /** Returns the node without the key, possibly empty; undefined if the key does not exist. */
  async #removed(node: TreeNode, key: string): Promise<TreeNode | undefined> {
    if (isLeaf(node)) {
      const index = lowerBound(node.keys, key);
      return node.keys[index] === key ? { keys: node.keys.toSpliced(index, 1) } : undefined;
    }
    const index = childIndex(node.children, key);
    const child = childAt(node.children, index);
    const shrunk = await this.#removed(await this.#read(child), key);
    if (shrunk === undefined) return undefined;
    if (countOf(shrunk) === 0) {
      this.#set(child.id, undefined);
      return { children: node.children.toSpliced(index, 1) };
    }
    const children = node.children.toSpliced(index, 1, this.#stored(child.id, shrunk));
    return { children: isSmall(shrunk) ? await this.#merged(children, index) : children };
  }

  /** Merges a small child with the one after it, or the last with the one before it, if both fit into one node. */
  async #merged(children: readonly Child[], index: number): Promise<readonly Child[]> {
    if (children.length < 2) return children;
    const at = Math.min(index, children.length - 2);
    const [left, right] = [childAt(children, at), childAt(children, at + 1)];
    const merged = mergedNode(await this.#read(left), await this.#read(right));
    if (merged === undefined) return children;
    this.#set(right.id, undefined);
    return children.toSpliced(at, 2, this.#stored(left.id, merged));
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
