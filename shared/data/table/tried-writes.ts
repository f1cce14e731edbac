import { isConditionFailure } from './failures.ts';

export type WriteKind = 'created' | 'updated';

/**
 * What the attempts of one save tried to write. After a lost response, the next attempt finds the row as its predecessor wrote
 * it: the save created or updated the row, although this attempt changes nothing.
 */
export class TriedWrites {
  readonly #kinds = new Map<string, WriteKind>();
  #unknown: WriteKind | undefined;

  add(id: number, version: number, kind: WriteKind): void {
    this.#kinds.set(`${id}#${version}`, kind);
  }

  /**
   * Sends a write whose row has no version to recognise it by. If the response is lost, and a later attempt finds the row as it
   * should be, `unknownKind` says what the write did.
   */
  async send<Result>(kind: WriteKind, write: () => Promise<Result>): Promise<Result> {
    const earlier = this.#unknown;
    this.#unknown = kind;
    try {
      const result = await write();
      // An earlier write may arrive only now, and leave this one nothing to do.
      this.#unknown = earlier;
      return result;
    } catch (error) {
      // The SDK repeats a call whose response was lost, and its own write then fails the condition.
      if (isConditionFailure(error) && attemptsOf(error) === 1) this.#unknown = earlier;
      throw error;
    }
  }

  /** What a write did whose response was lost. */
  get unknownKind(): WriteKind | undefined {
    return this.#unknown;
  }

  /** How an earlier attempt wrote this version of the row; undefined if none of them did. */
  kindOf(id: number, version: number): WriteKind | undefined {
    return this.#kinds.get(`${id}#${version}`);
  }
}

function attemptsOf(error: unknown): number {
  const metadata: unknown = error instanceof Error ? Reflect.get(error, '$metadata') : undefined;
  const attempts: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'attempts') : 1;
  return typeof attempts === 'number' ? attempts : 1;
}
