import type * as v from 'valibot';
import {
  entriesOf,
  hasPattern,
  isRecord,
  itemOf,
  mapValueOf,
  nameInside,
  unwrap,
} from '../../operations/schema-shape.ts';
import { bodyTextPattern, queryTextPattern } from '../../operations/schemas/text.ts';
import type { ProblemDetail } from '../problem.ts';

const bodyText = new RegExp(bodyTextPattern);
const queryText = new RegExp(queryTextPattern);

/**
 * Finds texts with forbidden characters in a body: they break the output of programs that read the text later. A text with a
 * pattern of its own is not checked here, because the pattern says which characters are allowed.
 */
export function findForbiddenCharacters(schema: v.GenericSchema, value: unknown, param = ''): ProblemDetail[] {
  const target = unwrap(schema);
  if (typeof value === 'string')
    return bodyText.test(value) || hasPattern(target) ? [] : [forbiddenCharactersDetail(param)];
  const item = itemOf(target);
  if (item !== undefined && Array.isArray(value)) {
    return value.flatMap((element, index) => findForbiddenCharacters(item, element, `${param}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const inMap = mapValueOf(target);
  const entries =
    inMap === undefined ? entriesOf(target) : Object.fromEntries(Object.keys(value).map((name) => [name, inMap]));
  return Object.entries(entries ?? {}).flatMap(([name, entry]) =>
    Object.hasOwn(value, name) ? findForbiddenCharacters(entry, value[name], nameInside(target, param, name)) : [],
  );
}

/** Finds query parameters that are not valid text. */
export function findBrokenText(query: Readonly<Record<string, string | undefined>>): ProblemDetail[] {
  return Object.entries(query)
    .filter(([name, value = '']) => !queryText.test(name) || !queryText.test(value))
    .map(([param]) => ({
      code: 'parameter_invalid',
      message: `The parameter ${param} must be UTF-8 text without NUL characters.`,
      param,
    }));
}

function forbiddenCharactersDetail(param: string): ProblemDetail {
  const message = `The parameter ${param} must be a UTF-8 string without control characters.`;
  return { code: 'parameter_invalid', message, param };
}
