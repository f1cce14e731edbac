import { parseCondition } from './condition.ts';
import { conditionFailed, validationError } from './errors.ts';
import { itemBytes } from './item-size.ts';
import { type KeySchema, keyNames, type TableSchema } from './schema.ts';
import type { Change, Key, Storage } from './storage.ts';
import { type ExpressionInput, parseExpressions, Tokens } from './tokens.ts';
import { parseUpdate } from './update.ts';
import { copyItem, type Item } from './values.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** The parameters of a write that the model knows. */
export interface WriteInput {
  readonly Item?: Item | undefined;
  readonly Key?: Item | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
  readonly ReturnValues?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

/** A write that is decided and not made yet. */
export interface PlannedWrite extends Change {
  readonly isMet: boolean;
}

/** Evaluates the condition of a write and computes the item after it. Nothing is changed. */
export function planWrite(storage: Storage, kind: WriteKind, input: WriteInput): PlannedWrite {
  const { schema } = storage;
  const key = keyOf(schema, kind === 'Put' ? input.Item : input.Key);
  const { meets, change } = parseExpressions(input, (expressions) => ({
    meets:
      input.ConditionExpression === undefined
        ? () => true
        : parseCondition(new Tokens(input.ConditionExpression), expressions),
    change: parseChange(kind, input, expressions),
  }));
  if (kind === 'Put') checkItem(schema, input.Item ?? {});
  const before = storage.get(key);
  if (!meets(before ?? {})) return { key, before, isMet: false, after: before };
  const after = change(before);
  if (kind === 'Update') checkUpdated(schema, key, after);
  return { key, before, isMet: true, after };
}

type ChangeItem = (before: Item | undefined) => Item | undefined;

function parseChange(kind: WriteKind, input: WriteInput, expressions: ExpressionInput): ChangeItem {
  switch (kind) {
    case 'Put':
      return () => copyItem(input.Item ?? {});
    case 'Delete':
      return () => undefined;
    case 'ConditionCheck':
      return (before) => before;
    case 'Update': {
      const update = parseUpdate(new Tokens(input.UpdateExpression ?? ''), expressions);
      return (before) => update(before ?? input.Key ?? {});
    }
  }
}

function checkUpdated(schema: TableSchema, { pk, sk }: Key, item: Item = {}): void {
  const { partitionKey, sortKey } = schema;
  if (item[partitionKey] !== pk || (sortKey !== undefined && item[sortKey] !== sk)) {
    throw validationError('This attribute is part of the key');
  }
  checkItem(schema, item);
}

const maxItemBytes = 400 * 1024;

/** DynamoDB refuses an item that is too large, and a key of an index that is not a text, or is empty. */
function checkItem({ indexes }: TableSchema, item: Readonly<Item>): void {
  if (itemBytes(item) > maxItemBytes) throw validationError('Item size has exceeded the maximum allowed size');
  for (const name of indexes.flatMap(keyNames)) {
    const value = item[name];
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw validationError(`The value of the index key ${name} is not a text, or is empty`);
    }
  }
}

/** The error of a write whose condition is not met. It contains the stored item if the request asked for it. */
export function refusalOf({ before }: PlannedWrite, input: WriteInput): Error {
  return conditionFailed(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
}

export function returnedAttributes({ before, after }: PlannedWrite, returned: string | undefined): Item | undefined {
  if (returned === 'ALL_OLD') return before && { ...before };
  if (returned === 'ALL_NEW') return after && { ...after };
  if (returned !== undefined && returned !== 'NONE') throw validationError(`The model does not know ${returned}.`);
  return undefined;
}

export function keyOf({ partitionKey, sortKey }: KeySchema, item: Readonly<Item> | undefined): Key {
  const pk = item?.[partitionKey];
  const sk = sortKey === undefined ? '' : item?.[sortKey];
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || (sk === '' && sortKey !== undefined)) {
    throw validationError('The provided key element does not match the schema');
  }
  return { pk, sk };
}
