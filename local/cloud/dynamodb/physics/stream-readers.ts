/**
 * "No more than two processes at most should be reading from the same stream shard at the same time. Having more than two readers
 * per shard can result in throttling."
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export const servedReaders = 2;
/** A reader that has not read for this time makes room for another. */
const idleMs = 1_000;

/** Counts the readers of a stream and throttles every one beyond the second. */
export class StreamReaders {
  readonly #lastReadMs = new Map<string, number>();

  /** Whether DynamoDB serves a read; false if it throttles the reader. */
  serves(reader: string, nowMs: number): boolean {
    for (const [other, readMs] of this.#lastReadMs) if (nowMs - readMs > idleMs) this.#lastReadMs.delete(other);
    if (!this.#lastReadMs.has(reader) && this.#lastReadMs.size >= servedReaders) return false;
    this.#lastReadMs.set(reader, nowMs);
    return true;
  }
}
