import type { Table } from './table.ts';

interface Kept<Value> {
  readonly readAtMs: number;
  readonly value: Promise<Value>;
}

/**
 * Keeps what an instance has read for a moment: every buyer of a sale reads the same few items, and what is shown decides
 * nothing. By the meter of the table, because an instance has one, and a table of its own for each request.
 */
export class BriefMemory<Value> {
  readonly #keptMs: number;
  readonly #kept = new WeakMap<Table['meter'], Map<string, Kept<Value>>>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  read({ meter }: Table, { name, nowMs }: { name: string; nowMs: number }, look: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(meter) ?? new Map<string, Kept<Value>>();
    this.#kept.set(meter, kept);
    for (const [key, { readAtMs }] of kept) if (nowMs - readAtMs >= this.#keptMs) kept.delete(key);
    const known = kept.get(name);
    if (known !== undefined) return known.value;
    const value = look();
    kept.set(name, { readAtMs: nowMs, value });
    // The next request tries again.
    value.catch(() => kept.delete(name));
    return value;
  }
}
