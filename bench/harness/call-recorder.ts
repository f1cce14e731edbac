import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CapacityMeter } from '../../shared/data/table/capacity-meter.ts';
import { isConditionFailure } from '../../shared/data/table/failures.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { itemBytes, transactedWriteUnits } from './item-size.ts';
import { nothingRead, type ReadItems, readItems, type Write, writesIn } from './reads-and-writes.ts';

interface Call {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly read: ReadItems;
  readonly writes: readonly Write[];
}

export interface Recorded {
  readonly calls: number;
  /** Calls one after the other: what a request waits for, whatever runs side by side. */
  readonly depth: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the items that reads returned; and of those among them that had to be the latest. */
  readonly readBytes: number;
  readonly latestBytes: number;
  /** Of the counters among the items that reads returned. */
  readonly counterBytes: number;
  /** Of the items that were written beside the door's, without the event that was announced; and of that event. */
  readonly changedBytes: number;
  readonly announcedBytes: number;
  /** The read units of the partition of counters that cost most. */
  readonly counterUnits: number;
}

/** Writes down the calls of a table's client: when each began and ended, what it read, and what it wrote. */
export class Recorder {
  readonly table: Table;
  /** Without the transactions, which DynamoDB Local miscounts. */
  readonly #meter = new CapacityMeter();
  /** Looks at items without being counted. */
  readonly #aside: Table;
  #calls: Call[] = [];
  #emptyQueryUnits = 0;

  constructor(table: Table, aside: Table) {
    this.table = table;
    this.#aside = aside;
    table.client.middlewareStack.add(
      (next, context) => async (args) => {
        const startedMs = performance.now();
        const command = context.commandName ?? '';
        let read: ReadItems = nothingRead;
        let writes = writesIn(command, args.input);
        try {
          const result = await next(args);
          if (command !== transactWrite) this.#meter.add(command, consumedBy(result.output));
          read = readItems(command, args.input, result.output);
          return result;
        } catch (error) {
          writes = [];
          if (command !== transactWrite && isConditionFailure(error))
            this.#meter.add(command, [{ WriteCapacityUnits: 1 }]);
          throw error;
        } finally {
          this.#emptyQueryUnits += read.emptyQueryUnits;
          this.#calls.push({ startedMs, endedMs: performance.now(), read, writes });
        }
      },
      { step: 'initialize', priority: 'high', name: 'recordCalls' },
    );
  }

  async during(work: () => Promise<unknown>): Promise<Recorded> {
    this.#calls = [];
    this.#emptyQueryUnits = 0;
    this.#meter.reset();
    await work();
    const calls = this.#calls;
    const { readUnits, writeUnits } = this.#meter;
    const written = await this.#written(calls.flatMap(({ writes }) => writes));
    const sum = (of: (call: Call) => number): number => calls.reduce((total, call) => total + of(call), 0);
    return {
      calls: calls.length,
      depth: depthOf(calls),
      readUnits: readUnits + this.#emptyQueryUnits,
      writeUnits: writeUnits + written.transactedUnits,
      readBytes: sum(({ read }) => read.bytes),
      latestBytes: sum(({ read }) => read.latestBytes),
      counterBytes: sum(({ read }) => read.counterBytes),
      changedBytes: written.changedBytes,
      announcedBytes: written.announcedBytes,
      counterUnits: dearestCounters(calls),
    };
  }

  async #written(writes: readonly Write[]) {
    let [transactedUnits, changedBytes, announcedBytes] = [0, 0, 0];
    for (const { kind, put, key, isTransacted } of writes) {
      // The door's write is counted by the table, and is no change.
      if (kind === 'AUTH') continue;
      const item = put ?? { ...key, ...(await this.#read(key)) };
      if (isTransacted) transactedUnits += transactedWriteUnits(item);
      if (kind === 'FEED') announcedBytes += itemBytes(item);
      else if (kind !== 'PAGE') changedBytes += itemBytes(item);
    }
    return { transactedUnits, changedBytes, announcedBytes };
  }

  async #read(Key: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const { Item = {} } = await this.#aside.client.send(
      new GetCommand({ TableName: this.#aside.name, Key, ConsistentRead: true }),
    );
    return Item;
  }
}

const transactWrite = 'TransactWriteItemsCommand';

function consumedBy(output: object) {
  if (!('ConsumedCapacity' in output) || !output.ConsumedCapacity) return [];
  return [output.ConsumedCapacity].flat();
}

function dearestCounters(calls: readonly Call[]): number {
  const units = new Map<string, number>();
  for (const [partition, some] of calls.flatMap(({ read }) => Object.entries(read.unitsByPartition)))
    if (partition.startsWith('CNT#')) units.set(partition, (units.get(partition) ?? 0) + some);
  return Math.max(0, ...units.values());
}

function depthOf(calls: readonly Call[]): number {
  const depths: { readonly endedMs: number; readonly depth: number }[] = [];
  for (const { startedMs, endedMs } of [...calls].sort((a, b) => a.startedMs - b.startedMs)) {
    const before = depths.filter((earlier) => earlier.endedMs <= startedMs).map(({ depth }) => depth);
    depths.push({ endedMs, depth: 1 + Math.max(0, ...before) });
  }
  return Math.max(0, ...depths.map(({ depth }) => depth));
}
