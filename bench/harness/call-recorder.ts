import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { itemBytes } from '../../local/cloud/dynamodb/model/item-size.ts';
import { CapacityMeter } from '../../shared/data/table/capacity-meter.ts';
import { isConditionFailure } from '../../shared/data/table/failures.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { nothingRead, type ReadItems, readItems, type Write, writesIn } from './reads-and-writes.ts';
import { transactedWriteUnits } from './transacted-units.ts';

interface Call {
  readonly command: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly read: ReadItems;
  readonly writes: readonly Write[];
}

export interface RecordedCalls {
  readonly calls: number;
  /** How many of them are Queries. */
  readonly queries: number;
  /** The longest chain of calls that wait for each other. Concurrent calls count once. */
  readonly depth: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The bytes of the items that reads returned, and of those that strongly consistent reads returned. */
  readonly readBytes: number;
  readonly consistentBytes: number;
  /** The bytes of the counters among the items that reads returned. */
  readonly counterBytes: number;
  /** The bytes of the written items without the admission's item, the row of the request log and the outbox event, and the bytes of that event. */
  readonly changedBytes: number;
  readonly eventBytes: number;
  /** The read units of the counter partition that cost most. */
  readonly counterUnits: number;
}

/**
 * Records the calls of a table's client: when each started and ended, what it read, and what it wrote. The calls of the payment
 * sandbox are left out, because a payment provider has its own database.
 */
export class CallRecorder {
  readonly table: Table;
  /** Excludes transactions, which DynamoDB Local counts differently from the service. */
  readonly #meter = new CapacityMeter();
  /** A second client of the same table, whose reads are not recorded. */
  readonly #uncounted: Table;
  #calls: Call[] = [];
  #emptyQueryUnits = 0;

  constructor(table: Table, uncounted: Table) {
    this.table = table;
    this.#uncounted = uncounted;
    table.client.middlewareStack.add(
      (next, context) => {
        const recorded: typeof next = async (args) => {
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
            this.#calls.push({ command, startedMs, endedMs: performance.now(), read, writes });
          }
        };
        return (args) => (isOfSandbox(args.input) ? next(args) : recorded(args));
      },
      { step: 'initialize', priority: 'high', name: 'recordCalls' },
    );
  }

  async record(work: () => Promise<unknown>): Promise<RecordedCalls> {
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
      queries: calls.filter(({ command }) => command === 'QueryCommand').length,
      depth: depthOf(calls),
      readUnits: readUnits + this.#emptyQueryUnits,
      writeUnits: writeUnits + written.transactedUnits,
      readBytes: sum(({ read }) => read.bytes),
      consistentBytes: sum(({ read }) => read.consistentBytes),
      counterBytes: sum(({ read }) => read.counterBytes),
      changedBytes: written.changedBytes,
      eventBytes: written.eventBytes,
      counterUnits: highestCounterUnits(calls),
    };
  }

  async #written(writes: readonly Write[]) {
    let [transactedUnits, changedBytes, eventBytes] = [0, 0, 0];
    for (const { kind, put, key, isTransacted } of writes) {
      // The table reports the units of the writes that admit and log the request, and these are no change of the operation.
      if (kind === 'AUTH' || kind === 'REQ') continue;
      const item = put ?? { ...key, ...(await this.#read(key)) };
      if (isTransacted) transactedUnits += transactedWriteUnits(item);
      if (kind === 'FEED') eventBytes += itemBytes(item);
      else changedBytes += itemBytes(item);
    }
    return { transactedUnits, changedBytes, eventBytes };
  }

  async #read(Key: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const { Item = {} } = await this.#uncounted.client.send(
      new GetCommand({ TableName: this.#uncounted.name, Key, ConsistentRead: true }),
    );
    return Item;
  }
}

const transactWrite = 'TransactWriteItemsCommand';

function isOfSandbox(input: object): boolean {
  const { Key, Item } = input as { readonly Key?: { pk?: unknown }; readonly Item?: { pk?: unknown } };
  return String((Item ?? Key)?.pk).startsWith('SBX#');
}

function consumedBy(output: object) {
  if (!('ConsumedCapacity' in output) || !output.ConsumedCapacity) return [];
  return [output.ConsumedCapacity].flat();
}

function highestCounterUnits(calls: readonly Call[]): number {
  const units = new Map<string, number>();
  for (const [partition, count] of calls.flatMap(({ read }) => Object.entries(read.unitsByPartition)))
    if (partition.startsWith('CNT#')) units.set(partition, (units.get(partition) ?? 0) + count);
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
