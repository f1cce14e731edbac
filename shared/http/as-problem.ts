import { isTableUnavailable } from '../data/table/failures.ts';
import { Problem, problem } from './problem.ts';

/** middy's own error, when the desk has not answered shortly before the function's time is up. */
function isOutOfTime(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && Reflect.get(cause, 'package') === '@middy/core';
}

/** What the caller is told of an error. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOutOfTime(error)) {
    return problem(
      'dependency_unavailable',
      'The service did not answer in time. It may have done what was asked: look before you send it again.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  if (isTableUnavailable(error)) {
    return problem('dependency_unavailable', 'The service is busy. Nothing is wrong with the request: send it again.', {
      retryAfterSeconds: 1,
    });
  }
  return problem('internal_error', 'Something went wrong on our side. Tell us the request id and we will find it.');
}
