import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../platform/fault.ts';

/** Concurrent writers changed the same item at every attempt. Nothing was written; a retry of the request may succeed. */
export class Contended extends Fault {}

/** Whether the condition of a write failed, for a single write or as part of a transaction. */
export function isConditionFailure(error: unknown): boolean {
  if (error instanceof ConditionalCheckFailedException) return true;
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some((reason) => reason.Code === 'ConditionalCheckFailed')
  );
}

const busyNames = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const busyReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict']);
const unreachableCodes = /^(E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)|UND_ERR)/;

/** Whether the table caused the error and not the request: a retry may succeed. */
export function isTableUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Contended) return true;
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some((reason) => busyReasons.has(reason.Code ?? ''));
  }
  return busyNames.has(error.name) || error.name === 'TimeoutError' || isServerFault(error) || isUnreachable(error);
}

/** Whether a write may have been made, although the table did not confirm it. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TransactionCanceledException) return false;
  return error.name === 'TimeoutError' || isServerFault(error) || isUnreachable(error);
}

function isServerFault(error: Error): boolean {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'httpStatusCode') : undefined;
  return typeof status === 'number' && status >= 500;
}

function isUnreachable(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && unreachableCodes.test(error.code);
}
