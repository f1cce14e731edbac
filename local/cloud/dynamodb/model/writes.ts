import { parseCondition } from './condition.ts';
import { conditionFailed, validationError } from './errors.ts';
import { type KeySchema, keyNames } from './schema.ts';
import type { Change, Key, Storage } from './storage.ts';
import { type ExpressionInput, Tokens } from './tokens.ts';
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
  const key = keyOf(storage.schema, kind === 'Put' ? input.Item : input.Key);
  const before = storage.get(key);
  const expression = expressionInput(input);
  const isMet =
    input.ConditionExpression === undefined ||
    parseCondition(new Tokens(input.ConditionExpression), expression)(before ?? {});
  return {
    key,
    before,
    isMet,
    after: isMet ? itemAfter(kind, { schema: storage.schema, before, input, expression }) : before,
  };
}

interface Written {
  readonly schema: KeySchema;
  readonly before: Item | undefined;
  readonly input: WriteInput;
  readonly expression: ExpressionInput;
}

function itemAfter(kind: WriteKind, { schema, before, input, expression }: Written): Item | undefined {
  switch (kind) {
    case 'Put':
      return copyItem(input.Item ?? {});
    case 'Delete':
      return undefined;
    case 'ConditionCheck':
      return before;
    case 'Update': {
      const update = parseUpdate(new Tokens(input.UpdateExpression ?? ''), expression);
      const current = before ?? input.Key ?? {};
      const after = update(current);
      if (keyNames(schema).some((name) => after[name] !== current[name])) {
        throw validationError('This attribute is part of the key');
      }
      return after;
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

export function expressionInput({
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Pick<WriteInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>): ExpressionInput {
  return { names, values };
}
