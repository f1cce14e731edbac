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

/** Whether each field has the same value, also those that only one of the two has. A field may be a list or a map. */
export function isSameRecord<Record extends object>(one: Record, other: Record): boolean {
  const [fields, others] = [
    new Map<string, unknown>(Object.entries(one)),
    new Map<string, unknown>(Object.entries(other)),
  ];
  return [...new Set([...fields.keys(), ...others.keys()])].every((name) =>
    isDeepStrictEqual(fields.get(name), others.get(name)),
  );
}
