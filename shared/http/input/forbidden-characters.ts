import type * as v from 'valibot';
import { entriesOf, isRecord, isVerbatim, itemOf, unwrap } from '../../operations/schema-shape.ts';
import type { ProblemDetail } from '../problem.ts';

/**
 * Control characters, which break the output of programs that read the text later, and U+FFFD, which a decoder inserts for
 * bytes that are not UTF-8, so that the stored text would differ from the sent text.
 */
const forbiddenCharacters = /[\p{Cc}\uFFFD]/u;

/** Finds texts with forbidden characters in a body. Path and query are only compared and never stored, so they are not checked. */
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

function forbiddenCharactersDetail(param: string): ProblemDetail {
  const message = `The parameter ${param} must be a UTF-8 string without control characters.`;
  return { code: 'parameter_invalid', message, param };
}
