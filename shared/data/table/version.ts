import { isDeepStrictEqual } from 'node:util';

interface Versioned {
  readonly version: number;
}

/** The condition that a row has not changed since it was read, or that it still does not exist. */
export function unchangedSince(before: Versioned | undefined) {
  return before === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } };
}

/** Whether each field has the same value. A field may be a list. */
export function isSameRecord<Record extends object>(one: Record, other: Record): boolean {
  const fields = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(
    ([name, value]) => fields.get(name) === value || isDeepStrictEqual(fields.get(name), value),
  );
}
