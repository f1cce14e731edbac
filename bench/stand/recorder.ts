import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CapacityMeter } from '../../shared/data/capacity-meter.ts';
import { isConditionFailure } from '../../shared/data/failures.ts';
import type { Table } from '../../shared/data/table.ts';
import { transactedWriteUnits } from './item-size.ts';

type Item = Readonly<Record<string, unknown>>;

interface Call {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly transacted: readonly Transacted[];
}

interface Transacted {
  readonly put?: Item;
  readonly key?: Item;
}

export interface Recorded {
  readonly calls: number;
  /** Calls one after the other: what a request waits for, whatever runs side by side. */
  readonly depth: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Writes down the calls of a table's client: when each began and ended, and what it wrote in transactions. */
export class Recorder {
  readonly table: Table;
  /** Without the transactions, which DynamoDB Local miscounts. */
  readonly #meter = new CapacityMeter();
  /** Looks at items without being counted. */
  readonly #aside: Table;
  #calls: Call[] = [];

  constructor(table: Table, aside: Table) {
    this.table = table;
    this.#aside = aside;
    table.client.middlewareStack.add(
      (next, context) => async (args) => {
        const startedMs = performance.now();
        const command = context.commandName ?? '';
        try {
          const result = await next(args);
          if (command !== transactWrite) this.#meter.add(command, consumedBy(result.output));
          return result;
        } catch (error) {
          if (command !== transactWrite && isConditionFailure(error))
            this.#meter.add(command, [{ WriteCapacityUnits: 1 }]);
          throw error;
        } finally {
          this.#calls.push({ startedMs, endedMs: performance.now(), transacted: transactedIn(args.input) });
        }
      },
      { step: 'initialize', priority: 'high', name: 'recordCalls' },
    );
  }

  async during(work: () => Promise<unknown>): Promise<Recorded> {
    this.#calls = [];
    this.#meter.reset();
    await work();
    const calls = this.#calls;
    const { readUnits, writeUnits } = this.#meter;
    return {
      calls: calls.length,
      depth: depthOf(calls),
      readUnits,
      writeUnits: writeUnits + (await this.#byItems(calls)),
    };
  }

  async #byItems(calls: readonly Call[]): Promise<number> {
    let units = 0;
    for (const { put, key } of calls.flatMap(({ transacted }) => transacted)) {
      units += transactedWriteUnits(put ?? (await this.#read(key ?? {})));
    }
    return units;
  }

  async #read(Key: Item): Promise<Item> {
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

function depthOf(calls: readonly Call[]): number {
  const depths: { readonly endedMs: number; readonly depth: number }[] = [];
  for (const { startedMs, endedMs } of [...calls].sort((a, b) => a.startedMs - b.startedMs)) {
    const before = depths.filter((earlier) => earlier.endedMs <= startedMs).map(({ depth }) => depth);
    depths.push({ endedMs, depth: 1 + Math.max(0, ...before) });
  }
  return Math.max(0, ...depths.map(({ depth }) => depth));
}

function transactedIn(input: object): Transacted[] {
  if (!('TransactItems' in input) || !Array.isArray(input.TransactItems)) return [];
  return input.TransactItems.map((each: Record<string, { Item?: Item; Key?: Item }>) => {
    const [part = {}] = Object.values(each);
    return { ...(part.Item !== undefined && { put: part.Item }), ...(part.Key !== undefined && { key: part.Key }) };
  });
}
