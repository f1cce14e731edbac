import type * as v from 'valibot';
import { entriesOf, isRecord, isVerbatim, itemOf, unwrap } from '../../operations/schema-shape.ts';
import type { ProblemDetail } from '../problem.ts';

/**
 * Control characters, which break the output of programs that read the text later, and U+FFFD, which a decoder inserts for
 * bytes that are not UTF-8, so that the stored text would differ from the sent text.
 */
const forbiddenCharacters = /[\p{Cc}\uFFFD]/u;

/** Finds texts with forbidden characters in a body. Path and query are only compared and never stored (findBrokenText). */
export function findForbiddenCharacters(schema: v.GenericSchema, value: unknown, param = ''): ProblemDetail[] {
  const target = unwrap(schema);
  if (typeof value === 'string')
    return forbiddenCharacters.test(value) && !isVerbatim(target) ? [forbiddenCharactersDetail(param)] : [];
  const item = itemOf(target);
  if (item !== undefined && Array.isArray(value)) {
    return value.flatMap((element, index) => findForbiddenCharacters(item, element, `${param}[${index}]`));
  }
  if (!isRecord(value)) return [];
  return Object.entries(entriesOf(target) ?? {}).flatMap(([name, entry]) =>
    Object.hasOwn(value, name)
      ? findForbiddenCharacters(entry, value[name], param === '' ? name : `${param}.${name}`)
      : [],
  );
}

/** NUL, and U+FFFD, which replaces bytes that are not UTF-8. No stored text contains them, so a query with them is a mistake. */
const brokenText = /[\0\uFFFD]/;

/** Finds query parameters that are not valid text. */
export function findBrokenText(query: Readonly<Record<string, string | undefined>>): ProblemDetail[] {
  return Object.entries(query)
    .filter(([name, value = '']) => brokenText.test(name) || brokenText.test(value))
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
