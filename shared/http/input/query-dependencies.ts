import type { QueryDependencies } from '../../operations/operation.ts';
import type { ProblemDetail } from '../problem.ts';

/** Finds query parameters that lack another one, or that cannot be combined. */
export function findBrokenDependencies(
  { requires, excludes }: QueryDependencies,
  query: Readonly<Record<string, unknown>>,
): ProblemDetail[] {
  const isSent = (name: string): boolean => Object.hasOwn(query, name);
  const combined = excludes.filter((pair) => pair.every(isSent));
  const missing = Object.entries(requires).flatMap(([name, others]) =>
    isSent(name) ? others.filter((other) => !isSent(other)).map((other) => [name, other] as const) : [],
  );
  return [
    ...combined.map(([param, other]) => ({
      code: 'parameter_conflict' as const,
      message: `Send ${param} or ${other}, not both.`,
      param,
    })),
    ...missing.map(([name, param]) => ({
      code: 'parameter_missing' as const,
      message: `The parameter ${param} is required with ${name}.`,
      param,
    })),
  ];
}
