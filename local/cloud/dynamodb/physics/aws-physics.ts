import {
  ThrottlingException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { transactionCancelled } from '../model/errors.ts';
import type { Executed } from '../model/table-model.ts';
import type { Usage } from '../model/usage.ts';
import { drawMs, type Latency, type Random } from './random.ts';
import { StreamReaders } from './stream-readers.ts';
import type { TableCall } from './table-call.ts';
import {
  type Direction,
  newTableThroughput,
  PartitionKey,
  TableThroughput,
  type WarmThroughput,
} from './throughput.ts';

/** The time of a simulation, or of this machine. */
export interface PhysicsTime {
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

export interface PhysicsOptions {
  readonly time: PhysicsTime;
  readonly random: Random;
  readonly warmThroughput?: WarmThroughput;
  readonly latencies?: Partial<typeof latencies>;
  /** How long a partition key is throttled before adaptive capacity splits it. AWS does not publish it. */
  readonly splitAfterMs?: number;
}

/**
 * AWS documents single-digit milliseconds for single items, and nothing for transactions. These are assumptions for a function
 * in the same region. A transaction holds its items between the two phases of its commit.
 */
const latencies = {
  read: { medianMs: 3, p99Ms: 12 },
  write: { medianMs: 5, p99Ms: 20 },
  /** From the function to the table and back, before and after the two phases of a transaction. */
  transaction: { medianMs: 5, p99Ms: 18 },
  held: { medianMs: 6, p99Ms: 25 },
  /** Until an index shows a change: "within a fraction of a second". */
  indexLag: { medianMs: 30, p99Ms: 400 },
} satisfies Readonly<Record<string, Latency>>;

/** How long after a change a reader of the stream sees it, and how long a throttled reader waits. Both are assumptions. */
const streamLagMs = 250;
const streamRetryMs = 1_000;

const latencyOf = {
  read: 'read',
  write: 'write',
  transactRead: 'transaction',
  transactWrite: 'transaction',
} as const satisfies Readonly<Record<TableCall['kind'], keyof typeof latencies>>;

/** What the physics refused so far. */
export interface PhysicsCounts {
  calls: number;
  conflicts: number;
  throttled: number;
  /** The refused calls by the kind of the key (`STK`), or by the reason of a throttle and the kind. */
  readonly byKind: Map<string, number>;
}

/**
 * Behaves as AWS documents DynamoDB, around a table that executes one call at a time without delay: conflicts of transactions,
 * throttling of partitions and of the table, and latency. ADR 35 lists the rules and their sources.
 */
export class AwsPhysics {
  readonly counts: PhysicsCounts = { calls: 0, conflicts: 0, throttled: 0, byKind: new Map() };
  readonly #time: PhysicsTime;
  readonly #random: Random;
  readonly #latencies: typeof latencies;
  readonly #warm: WarmThroughput;
  readonly #splitAfterMs: number;
  /** The items that a transaction holds, by the transaction. */
  readonly #held = new Map<string, symbol>();
  readonly #tokens = new Set<string>();
  readonly #partitions = new Map<string, PartitionKey>();
  readonly #tables = new Map<string, TableThroughput>();
  readonly #streamReaders = new StreamReaders();
  #indexesCurrentMs = 0;
  #forgetAtMs = 0;

  constructor({
    time,
    random,
    warmThroughput = newTableThroughput,
    latencies: changed = {},
    splitAfterMs = 120_000,
  }: PhysicsOptions) {
    this.#splitAfterMs = splitAfterMs;
    this.#time = time;
    this.#random = random;
    this.#warm = warmThroughput;
    this.#latencies = { ...latencies, ...changed };
  }

  /** Sends a call: delays it, refuses it, or executes it. */
  async send(call: TableCall, execute: () => Executed | Promise<Executed>): Promise<Executed> {
    this.counts.calls += 1;
    const wholeMs = this.#draw(latencyOf[call.kind]);
    await this.#time.sleep(wholeMs / 2);
    const executed = this.#throttled(call) ?? (await this.#executed(call, execute));
    this.#charge(executed.usage);
    await this.#time.sleep(wholeMs / 2);
    return executed;
  }

  /** Calls back when an index may show a change that was made now. Changes become visible in the order in which they were made. */
  updateIndex(apply: () => void): void {
    const visibleMs = Math.max(this.#indexesCurrentMs, this.#time.nowMs() + this.#draw('indexLag'));
    this.#indexesCurrentMs = visibleMs;
    void this.#time.sleep(visibleMs - this.#time.nowMs()).then(apply);
  }

  /** Calls back when a reader of the table's stream sees a change that was made now. A third reader waits for one of the others. */
  readStream(reader: string, apply: () => void): void {
    const read = async (afterMs: number): Promise<void> => {
      await this.#time.sleep(afterMs);
      if (this.#streamReaders.serves(reader, this.#time.nowMs())) return apply();
      this.counts.throttled += 1;
      this.#count('StreamReaders');
      return read(streamRetryMs);
    };
    void read(streamLagMs);
  }

  #draw(name: keyof typeof latencies): number {
    return drawMs(this.#latencies[name], this.#random);
  }

  async #executed(call: TableCall, execute: () => Executed | Promise<Executed>): Promise<Executed> {
    switch (call.kind) {
      case 'transactWrite':
        return this.#transact(call, execute);
      case 'transactRead':
        return this.#conflict(call) ?? execute();
      case 'write':
        return this.#conflict(call) ?? execute();
      case 'read':
        // A single read never waits for a transaction: it sees the item before or after it.
        return execute();
    }
  }

  /** Holds the items, executes, and releases them after the commit. A transaction that is refused holds nothing. */
  async #transact(call: TableCall, execute: () => Executed | Promise<Executed>): Promise<Executed> {
    if (call.token !== undefined && this.#tokens.has(call.token)) return { error: inProgress(), usage: [] };
    const conflict = this.#conflict(call);
    if (conflict !== undefined) return conflict;
    const transaction = Symbol(call.operation);
    const names = call.items.map(({ pk, sk }) => itemName(pk, sk));
    for (const name of names) this.#held.set(name, transaction);
    if (call.token !== undefined) this.#tokens.add(call.token);
    try {
      const executed = await execute();
      if (executed.error === undefined) await this.#time.sleep(this.#draw('held'));
      return executed;
    } finally {
      for (const name of names) this.#held.delete(name);
      if (call.token !== undefined) this.#tokens.delete(call.token);
    }
  }

  /** The refusal of a call that meets a transaction on an item. */
  #conflict({ items, kind }: TableCall): Executed | undefined {
    const held = items.map(({ pk, sk }) => this.#held.has(itemName(pk, sk)));
    const first = items[held.indexOf(true)];
    if (first === undefined) return undefined;
    this.counts.conflicts += 1;
    this.#count(kindOf(first.pk));
    if (kind === 'write') return { error: conflictError(), usage: [] };
    const reasons = held.map((isHeld) =>
      isHeld ? { Code: 'TransactionConflict', Message: conflictMessage } : { Code: 'None' },
    );
    return { error: transactionCancelled(reasons), usage: [] };
  }

  #throttled(call: TableCall): Executed | undefined {
    const nowMs = this.#time.nowMs();
    const direction: Direction = call.kind === 'read' || call.kind === 'transactRead' ? 'read' : 'write';
    const reasonOf = (at: (typeof call.partitions)[number]): string | undefined => {
      const place = at.index === undefined ? 'Table' : 'Index';
      const how = direction === 'read' ? 'Read' : 'Write';
      const isThrottled =
        this.#table(at.index).isThrottled(direction, nowMs) ||
        this.#partition(at.index, at.partition).isThrottled(at.sortKey, direction, nowMs);
      return isThrottled ? `${place}${how}KeyRangeThroughputExceeded` : undefined;
    };
    const used = [...call.partitions, ...call.indexed];
    const reasons = used.map(reasonOf);
    const index = reasons.findIndex((reason) => reason !== undefined);
    if (index === -1) return undefined;
    this.counts.throttled += 1;
    this.#count(`${reasons[index]} ${kindOf(used[index]?.partition ?? '')}`);
    return { error: throttlingError(call, reasons), usage: [] };
  }

  #charge(usage: readonly Usage[]): void {
    const nowMs = this.#time.nowMs();
    for (const { index, partition, sortKey, readUnits, writeUnits } of usage) {
      const direction: Direction = writeUnits > 0 ? 'write' : 'read';
      const units = readUnits + writeUnits;
      this.#partition(index, partition).take(sortKey, direction, units);
      this.#table(index).take(direction, units, nowMs);
    }
  }

  #partition(index: string | undefined, partition: string): PartitionKey {
    this.#forgetIdle();
    const name = itemName(index ?? '', partition);
    const known = this.#partitions.get(name) ?? new PartitionKey(this.#time.nowMs(), this.#splitAfterMs);
    this.#partitions.set(name, known);
    return known;
  }

  /** Most partition keys are used once. One that has all of its units again is the same as a new one. */
  #forgetIdle(): void {
    const nowMs = this.#time.nowMs();
    if (nowMs < this.#forgetAtMs) return;
    this.#forgetAtMs = nowMs + 1_000;
    for (const [name, partition] of this.#partitions) if (partition.isIdle(nowMs)) this.#partitions.delete(name);
  }

  #table(index: string | undefined): TableThroughput {
    const known = this.#tables.get(index ?? '') ?? new TableThroughput(this.#warm, this.#time.nowMs());
    this.#tables.set(index ?? '', known);
    return known;
  }

  #count(name: string): void {
    this.counts.byKind.set(name, (this.counts.byKind.get(name) ?? 0) + 1);
  }
}

const itemName = (pk: string, sk: string): string => `${pk}\u0000${sk}`;
const kindOf = (pk: string): string => pk.split('#')[0] ?? '';

const $metadata = { httpStatusCode: 400 };
const conflictMessage = 'Transaction is ongoing for the item';
const conflictError = () => new TransactionConflictException({ message: conflictMessage, $metadata });
const inProgress = () => {
  const Message = 'The transaction with the given request token is already in progress.';
  return new TransactionInProgressException({ Message, message: Message, $metadata });
};

const throttlingMessage =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.';

/** A transaction is cancelled with a reason for each item. Any other call of an on-demand table gets a ThrottlingException. */
function throttlingError({ kind, items }: TableCall, reasons: readonly (string | undefined)[]): Error {
  if (kind === 'transactWrite' || kind === 'transactRead') {
    const isOnlyIndex = items.every((_, at) => reasons[at] === undefined);
    return transactionCancelled(
      items.map((_, at) =>
        reasons[at] === undefined && !isOnlyIndex
          ? { Code: 'None' }
          : { Code: 'ThrottlingError', Message: throttlingMessage },
      ),
    );
  }
  const throttlingReasons = reasons.flatMap((reason) => (reason === undefined ? [] : [{ reason }]));
  return new ThrottlingException({ message: throttlingMessage, throttlingReasons, $metadata });
}
