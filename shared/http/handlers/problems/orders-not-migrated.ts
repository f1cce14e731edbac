import { type Problem, problem } from '../../problem.ts';

/** Orders of an earlier release are not in the list of changes: leaving them out without a word would lose them. */
export function ordersNotMigrated(): Problem {
  const message = 'The service is being updated and does not know yet when all orders last changed. Try again later.';
  return problem('dependency_unavailable', message, { retryAfterSeconds: 600 });
}
