import { isOutcomeUnknown, isTableUnavailable } from '../data/table/failures.ts';
import { MetadataRefused } from '../domain/metadata.ts';
import { repeatAdvice } from '../operations/problems.ts';
import { Problem, problem } from './problem.ts';

/** Whether middy ended the request, because the handler had not returned shortly before the function's timeout. */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && Reflect.get(cause, 'package') === '@middy/core';
}

/** The problem that reports an error to the caller. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof MetadataRefused) return problem('parameter_invalid', error.message, { param: error.param });
  if (isTimeout(error)) {
    return problem('dependency_unavailable', `The service did not respond in time. ${repeatAdvice}`, {
      retryAfterSeconds: 1,
    });
  }
  if (isTableUnavailable(error)) {
    const advice = isOutcomeUnknown(error) ? repeatAdvice : 'Send the request again.';
    return problem('dependency_unavailable', `The service is busy. ${advice}`, { retryAfterSeconds: 1 });
  }
  return problem('internal_error', 'The service failed. Contact support with the request_id.');
}
