/** The fields of an object whose type a test does not know, such as a parsed response. Anything else fails the test. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Error(`Not an object: ${JSON.stringify(value)}`);
  return value;
}

/** The same for an array of objects, such as the rows of a list. */
export function rowsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error(`Not an array: ${JSON.stringify(value)}`);
  return value.map(fieldsOf);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
