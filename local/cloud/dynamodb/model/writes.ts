import { parseCondition } from './condition.ts';
import { conditionFailed, validationError } from './errors.ts';
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
  const key = keyOf(kind === 'Put' ? input.Item : input.Key);
  const before = storage.get(key);
  const expression = expressionInput(input);
  const isMet =
    input.ConditionExpression === undefined ||
    parseCondition(new Tokens(input.ConditionExpression), expression)(before ?? {});
  return { key, before, isMet, after: isMet ? itemAfter(kind, { key, before, input, expression }) : before };
}

interface Written {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly input: WriteInput;
  readonly expression: ExpressionInput;
}

function itemAfter(kind: WriteKind, { key, before, input, expression }: Written): Item | undefined {
  switch (kind) {
    case 'Put':
      return copyItem(input.Item ?? {});
    case 'Delete':
      return undefined;
    case 'ConditionCheck':
      return before;
    case 'Update': {
      const update = parseUpdate(new Tokens(input.UpdateExpression ?? ''), expression);
      const after = update(before ?? { ...key });
      if (after.pk !== key.pk || after.sk !== key.sk) throw validationError('This attribute is part of the key');
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

export function keyOf(item: Readonly<Item> | undefined): Key {
  const [pk, sk] = [item?.pk, item?.sk];
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
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
