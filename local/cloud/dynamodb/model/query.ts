import { parseCondition } from './condition.ts';
import { validationError } from './errors.ts';
import { itemBytes, readUnitsOf } from './item-size.ts';
import { parseKeyCondition } from './key-condition.ts';
import { parseProjection, project } from './paths.ts';
import { type IndexSchema, type KeySchema, keyNames, type TableSchema } from './schema.ts';
import { positionIn, type Storage } from './storage.ts';
import { type ExpressionInput, parseExpressions, Tokens } from './tokens.ts';
import type { Usage } from './usage.ts';
import type { Item } from './values.ts';
import { keyOf } from './writes.ts';

/** The parameters of a Query that the model knows. */
export interface QueryInput {
  readonly IndexName?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  readonly ConsistentRead?: boolean | undefined;
  readonly ScanIndexForward?: boolean | undefined;
  readonly ExclusiveStartKey?: Item | undefined;
  readonly Limit?: number | undefined;
  readonly Select?: string | undefined;
}

const maxPageBytes = 1024 * 1024;

export interface QueryPage {
  readonly Items?: Item[];
  readonly Count: number;
  readonly ScannedCount: number;
  readonly LastEvaluatedKey?: Item;
}

/** Reads a page of a partition: up to the limit or a megabyte, whichever is first. */
export function query(storage: Storage, input: QueryInput): { page: QueryPage; usage: Usage } {
  const { schema } = storage;
  const index = indexOf(schema, input.IndexName);
  if (index !== undefined && input.ConsistentRead) throw validationError('An index cannot be read consistently.');
  checkFilter(input, keyNames(index ?? schema));
  const { range, selected } = parseExpressions(input, (expressions) => ({
    range: parseKeyCondition(input.KeyConditionExpression ?? '', index ?? schema, expressions),
    selected: parseSelection(input, expressions),
  }));
  const isForward = input.ScanIndexForward !== false;
  const entries = storage
    .partition(index, range.partition)
    ?.range(range, isForward, startOf(schema, index, input.ExclusiveStartKey));
  const { found, bytes, isCut } = readPage(entries ?? [], input.Limit);
  // Nothing can follow an item at the end of its range.
  const isComplete = index === undefined && sortKeyOf(schema, found.at(-1)) === (isForward ? range.last : range.first);
  const last = isCut && !isComplete ? found.at(-1) : undefined;
  const items = selected(found);
  return {
    page: {
      ...(input.Select !== 'COUNT' && { Items: items }),
      Count: items.length,
      ScannedCount: found.length,
      ...(last && { LastEvaluatedKey: keyAttributes(schema, index, last) }),
    },
    usage: {
      index: index?.name,
      partition: range.partition,
      sortKey: sortKeyOf(index ?? schema, found[0]) ?? '',
      readUnits: readUnitsOf(bytes, input.ConsistentRead === true),
      writeUnits: 0,
    },
  };
}

/** Reads a page of the whole table: partition after partition, each in its order. */
export function scan(storage: Storage, input: QueryInput): { page: QueryPage; usage: Usage } {
  const selected = parseExpressions(input, (expressions) => parseSelection(input, expressions));
  const start = input.ExclusiveStartKey && keyOf(storage.schema, input.ExclusiveStartKey);
  const { found, bytes, isCut } = readPage(storage.all(start), input.Limit);
  const items = selected(found);
  const last = isCut ? found.at(-1) : undefined;
  return {
    page: {
      Items: items,
      Count: items.length,
      ScannedCount: found.length,
      ...(last && { LastEvaluatedKey: keyAttributes(storage.schema, undefined, last) }),
    },
    usage: {
      index: undefined,
      partition: '',
      sortKey: '',
      readUnits: readUnitsOf(bytes, input.ConsistentRead === true),
      writeUnits: 0,
    },
  };
}

function readPage(entries: Iterable<{ readonly item: Item }>, limit: number | undefined) {
  const found: Item[] = [];
  let bytes = 0;
  for (const { item } of entries) {
    found.push(item);
    bytes += itemBytes(item);
    if (found.length === limit || bytes >= maxPageBytes) return { found, bytes, isCut: true };
  }
  return { found, bytes, isCut: false };
}

/** DynamoDB refuses a filter by a key that is read. */
function checkFilter({ FilterExpression, ExpressionAttributeNames: names = {} }: QueryInput, keys: readonly string[]) {
  const tokens = new Tokens(FilterExpression ?? '');
  for (let before = ''; !tokens.isAtEnd; ) {
    const token = tokens.take();
    if (before !== '.' && keys.includes(names[token] ?? token)) throw tokens.error('filters by a key');
    before = token;
  }
}

/** What a filter and a projection leave of the items that were read. */
function parseSelection(input: QueryInput, expressions: ExpressionInput): (found: readonly Item[]) => Item[] {
  const meets = input.FilterExpression && parseCondition(new Tokens(input.FilterExpression), expressions);
  const paths = input.ProjectionExpression && parseProjection(new Tokens(input.ProjectionExpression), expressions);
  return (found) => {
    const kept = meets ? found.filter(meets) : found;
    return kept.map((item) => (paths ? project(item, paths) : { ...item }));
  };
}

function indexOf({ indexes }: TableSchema, name: string | undefined): IndexSchema | undefined {
  if (name === undefined) return undefined;
  const index = indexes.find((one) => one.name === name);
  if (index === undefined) throw validationError(`The table does not have the specified index: ${name}`);
  return index;
}

function startOf(schema: TableSchema, index: IndexSchema | undefined, start: Item | undefined) {
  if (start === undefined) return undefined;
  const key = keyOf(schema, start);
  return index === undefined ? { sortKey: key.sk, tie: '' } : positionIn(index, key, start);
}

function sortKeyOf({ sortKey }: KeySchema, item: Item | undefined): string | undefined {
  const value = sortKey === undefined ? undefined : item?.[sortKey];
  return typeof value === 'string' ? value : undefined;
}

function keyAttributes(schema: TableSchema, index: IndexSchema | undefined, item: Item): Item {
  const names = [...keyNames(schema), ...(index === undefined ? [] : keyNames(index))];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
