import * as v from 'valibot';
import { Fault } from './fault.ts';

/** The reason of a failure, for the log. Messages that may contain personal data are left out: type and stack are enough. */
export function reasonOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof v.ValiError) {
    const places = error.issues.map((issue) => `${v.getDotPath(issue) ?? '(root)'}: expected ${issue.expected}`);
    return { reason: 'Data does not match its schema', places, stack: stackWithoutMessage(error) };
  }
  if (!(error instanceof Error)) return { reason: 'Something other than an Error was thrown' };
  const isOurs = error instanceof Fault || '$metadata' in error;
  return { reason: isOurs ? `${error.name}: ${error.message}` : error.name, stack: stackWithoutMessage(error) };
}

function stackWithoutMessage(error: Error): string | undefined {
  return error.stack?.slice(error.stack.indexOf('\n    at ') + 1);
}
