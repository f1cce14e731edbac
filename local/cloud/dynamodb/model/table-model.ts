import { hash } from 'node:crypto';
import { type CancellationReason, tokenMismatch, transactionCancelled, validationError } from './errors.ts';
import { itemBytes, readUnitsOf } from './item-size.ts';
import { parseProjection, project } from './paths.ts';
import { type QueryInput, query, scan } from './query.ts';
import type { TableSchema } from './schema.ts';
import { type Key, Storage } from './storage.ts';
import { parseExpressions, Tokens } from './tokens.ts';
import { type Usage, writeUsage } from './usage.ts';
import type { Item } from './values.ts';
import {
  keyOf,
  type PlannedWrite,
  planWrite,
  refusalOf,
  returnedAttributes,
  type WriteInput,
  type WriteKind,
} from './writes.ts';

/** The result of a call. A call that fails takes units too. */
export interface Executed {
  readonly output?: Record<string, unknown>;
  readonly error?: unknown;
  readonly usage: readonly Usage[];
}

interface GetInput extends Pick<QueryInput, 'ProjectionExpression' | 'ExpressionAttributeNames' | 'ConsistentRead'> {
  readonly Key?: Item | undefined;
}

export type TransactWrite = { readonly [Kind in WriteKind]?: WriteInput | undefined };

/** DynamoDB remembers the token of a transaction for ten minutes. */
const tokenLifeMs = 600_000;
const maxTransactItems = 100;
const maxBatchKeys = 100;
const maxBatchWrites = 25;

/**
 * A model of a table: the operations and expressions that this project uses, as DynamoDB executes them one at a time. It
 * has no latency and no limits; `local/cloud/dynamodb/physics` adds those. A property test compares it with DynamoDB Local.
 */
export class TableModel {
  readonly storage: Storage;
  readonly #nowMs: () => number;
  readonly #tokens = new Map<string, { readonly digest: string; readonly atMs: number }>();

  constructor(schema: TableSchema, nowMs: () => number) {
    this.storage = new Storage(schema);
    this.#nowMs = nowMs;
  }

  getItem(input: GetInput): Executed {
    const { item, usage } = this.#read(input, this.#keyOf(input.Key), 1);
    return { output: { ...(item && { Item: item }) }, usage: [usage] };
  }

  batchGetItem(inputs: Readonly<Record<string, { readonly Keys?: readonly Item[] | undefined } & GetInput>>): Executed {
    const usage: Usage[] = [];
    const Responses: Record<string, Item[]> = {};
    for (const [table, { Keys = [], ...options }] of Object.entries(inputs)) {
      if (Keys.length === 0 || Keys.length > maxBatchKeys) throw validationError('BatchGetItem has 1 to 100 keys');
      const keys = Keys.map((key) => this.#keyOf(key));
      checkDifferent(keys);
      const read = keys.map((key) => this.#read(options, key, 1));
      usage.push(...read.map((one) => one.usage));
      Responses[table] = read.flatMap(({ item }) => (item === undefined ? [] : [item]));
    }
    return { output: { Responses, UnprocessedKeys: {} }, usage };
  }

  transactGetItems(items: readonly { readonly Get?: GetInput | undefined }[]): Executed {
    // A transactional read reads each item twice.
    const reads = items.map(({ Get = {} }) => ({ ...Get, ConsistentRead: true, key: this.#keyOf(Get.Key) }));
    checkTransaction(reads.map(({ key }) => key));
    const read = reads.map((one) => this.#read(one, one.key, 2));
    return {
      output: { Responses: read.map(({ item }) => (item === undefined ? {} : { Item: item })) },
      usage: read.map(({ usage }) => usage),
    };
  }

  query(input: QueryInput): Executed {
    const { page, usage } = query(this.storage, input);
    return { output: { ...page }, usage: [usage] };
  }

  scan(input: QueryInput): Executed {
    const { page, usage } = scan(this.storage, input);
    return { output: { ...page }, usage: [usage] };
  }

  putItem(input: WriteInput): Executed {
    return this.#write('Put', input);
  }

  updateItem(input: WriteInput): Executed {
    return this.#write('Update', input);
  }

  deleteItem(input: WriteInput): Executed {
    return this.#write('Delete', input);
  }

  batchWriteItem(
    inputs: Readonly<Record<string, readonly { PutRequest?: { Item?: Item }; DeleteRequest?: { Key?: Item } }[]>>,
  ): Executed {
    const requests = Object.values(inputs).flat();
    if (requests.length === 0 || requests.length > maxBatchWrites) {
      throw validationError('BatchWriteItem has 1 to 25 requests');
    }
    checkDifferent(
      requests.map(({ PutRequest, DeleteRequest }) => this.#keyOf(PutRequest?.Item ?? DeleteRequest?.Key)),
    );
    const planned = requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest === undefined
        ? planWrite(this.storage, 'Delete', DeleteRequest ?? {})
        : planWrite(this.storage, 'Put', PutRequest),
    );
    for (const write of planned) this.storage.write(write);
    return {
      output: { UnprocessedItems: {} },
      usage: planned.flatMap((write) => writeUsage(this.storage.schema, write, false)),
    };
  }

  transactWriteItems(items: readonly TransactWrite[], token: string | undefined): Executed {
    checkTransaction(items.map((item) => this.#keyOf(keyOfWrite(item))));
    if (this.#isRepeated(items, token)) return { output: {}, usage: [] };
    const planned = items.map((item) => this.#plan(item));
    const usage = planned.flatMap(({ write }) => writeUsage(this.storage.schema, write, true));
    const isCancelled = planned.some(({ reason }) => reason.Code !== 'None');
    if (isCancelled) return { error: transactionCancelled(planned.map(({ reason }) => reason)), usage };
    for (const { write } of planned) this.storage.write(write);
    if (token !== undefined) this.#tokens.set(token, { digest: digestOf(items), atMs: this.#nowMs() });
    return { output: {}, usage };
  }

  /** Deletes the items whose time to live has passed. Returns how many there were. */
  deleteExpired(): number {
    const { timeToLive = '' } = this.storage.schema;
    const nowUnix = this.#nowMs() / 1000;
    const expired = [...this.storage.all()].filter(({ item }) => {
      const ttl = item[timeToLive];
      return typeof ttl === 'number' && ttl < nowUnix;
    });
    for (const { key, item } of expired) this.storage.write({ key, before: item, after: undefined });
    return expired.length;
  }

  #keyOf(key: Readonly<Item> | undefined): Key {
    return keyOf(this.storage.schema, key);
  }

  #read(options: GetInput, key: Key, times: number): { item: Item | undefined; usage: Usage } {
    const stored = this.storage.get(key);
    const paths = parseExpressions(
      options,
      (expressions) =>
        options.ProjectionExpression && parseProjection(new Tokens(options.ProjectionExpression), expressions),
    );
    const bytes = stored === undefined ? 0 : itemBytes(stored);
    const readUnits = readUnitsOf(bytes, options.ConsistentRead === true) * times;
    return {
      item: stored && (paths ? project(stored, paths) : { ...stored }),
      usage: { index: undefined, partition: key.pk, sortKey: key.sk, readUnits, writeUnits: 0 },
    };
  }

  #write(kind: WriteKind, input: WriteInput): Executed {
    const planned = planWrite(this.storage, kind, input);
    const usage = writeUsage(this.storage.schema, planned, false);
    if (!planned.isMet) return { error: refusalOf(planned, input), usage };
    this.storage.write(planned);
    const Attributes = returnedAttributes(planned, input.ReturnValues);
    return { output: { ...(Attributes && { Attributes }) }, usage };
  }

  #plan(item: TransactWrite): { write: PlannedWrite; reason: CancellationReason } {
    const [kind, input] = writeOf(item);
    const write = planWrite(this.storage, kind, input);
    return { write, reason: write.isMet ? { Code: 'None' } : conditionReason(write, input) };
  }

  #isRepeated(items: readonly TransactWrite[], token: string | undefined): boolean {
    for (const [old, { atMs }] of this.#tokens) {
      if (atMs > this.#nowMs() - tokenLifeMs) break;
      this.#tokens.delete(old);
    }
    const earlier = token === undefined ? undefined : this.#tokens.get(token);
    if (earlier === undefined) return false;
    if (earlier.digest !== digestOf(items)) throw tokenMismatch();
    return true;
  }
}

/** The kind of a write in a transaction, and its parameters. */
function writeOf({ Put, Update, Delete, ConditionCheck }: TransactWrite): [WriteKind, WriteInput] {
  if (Put !== undefined) return ['Put', Put];
  if (Update !== undefined) return ['Update', Update];
  if (Delete !== undefined) return ['Delete', Delete];
  return ['ConditionCheck', ConditionCheck ?? {}];
}

function keyOfWrite(item: TransactWrite): Item | undefined {
  const [kind, input] = writeOf(item);
  return kind === 'Put' ? input.Item : input.Key;
}

function checkTransaction(keys: readonly Key[]): void {
  if (keys.length === 0 || keys.length > maxTransactItems) throw validationError('A transaction has 1 to 100 items');
  checkDifferent(keys);
}

/** DynamoDB refuses a batch and a transaction that name an item twice. */
function checkDifferent(keys: readonly Key[]): void {
  const different = new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk])));
  if (different.size < keys.length) throw validationError('The request names an item twice');
}

function conditionReason({ before }: PlannedWrite, input: WriteInput): CancellationReason {
  const isReturned = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined;
  return {
    Code: 'ConditionalCheckFailed',
    Message: 'The conditional request failed',
    ...(isReturned && { Item: before }),
  };
}

function digestOf(items: readonly TransactWrite[]): string {
  return hash('sha1', JSON.stringify(items));
}
