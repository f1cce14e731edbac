import type * as v from 'valibot';
import { innerSchema, isRecord, nameInside, unwrap } from '../../operations/schema-shape.ts';
import type { ProblemDetail } from '../problem.ts';
import { maxNameLength } from './validate.ts';

/** The smallest positive number of DynamoDB. A smaller one is refused by the table. */
const smallest = 1e-130;

/**
 * Finds the numbers of a body that the table cannot store exactly: the client of the table refuses what is no exact integer any more,
 * and JSON has already rounded it. This holds for every number, also those that a later schema forgets to bound.
 */
export function findUnstorableNumbers(schema: v.GenericSchema, value: unknown, param = ''): ProblemDetail[] {
  const target = unwrap(schema);
  if (typeof value === 'number') return isStorable(value) ? [] : [unstorableDetail(param)];
  if (Array.isArray(value)) {
    return value.flatMap((element, index) =>
      findUnstorableNumbers(innerSchema(target, index), element, `${param}[${index}]`),
    );
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findUnstorableNumbers(innerSchema(target, name), inner, nameInside(target, param, name.slice(0, maxNameLength))),
  );
}

function isStorable(value: number): boolean {
  const size = Math.abs(value);
  return size <= Number.MAX_SAFE_INTEGER && (size === 0 || size >= smallest);
}

function unstorableDetail(param: string): ProblemDetail {
  const most = Number.MAX_SAFE_INTEGER;
  const message = `The parameter ${param} must be a number from ${-most} to ${most}, and not closer to 0 than ${smallest}.`;
  return { code: 'parameter_invalid', message, param };
}
