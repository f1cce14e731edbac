export type WriteKind = 'created' | 'updated';

/**
 * What the attempts of one save tried to write. After a lost response, the next attempt finds the row as its predecessor wrote
 * it: the save created or updated the row, although this attempt changes nothing.
 */
export class TriedWrites {
  readonly #kinds = new Map<string, WriteKind>();

  add(id: number, version: number, kind: WriteKind): void {
    this.#kinds.set(`${id}#${version}`, kind);
  }

  /** How an earlier attempt wrote this version of the row; undefined if none of them did. */
  kindOf(id: number, version: number): WriteKind | undefined {
    return this.#kinds.get(`${id}#${version}`);
  }
}
