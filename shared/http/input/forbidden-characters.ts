import type * as v from 'valibot';
import { entriesOf, isRecord, isVerbatim, itemOf, unwrap } from '../../operations/schema-shape.ts';
import type { ProblemDetail } from '../problem.ts';

/**
 * What nobody types: control characters, which break a line of whatever reads it later, and U+FFFD, which a reader puts where
 * bytes are no UTF-8, so that what we would keep is not what we were told.
 */
const forbiddenCharacters = /[\p{Cc}\uFFFD]/u;

/** The texts of a body that nobody can have typed. What a path or a query holds is only looked for, never kept. */
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
