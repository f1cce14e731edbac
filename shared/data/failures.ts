import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Whether a write was refused by its own condition, alone or as part of a transaction. */
export function isConditionFailure(error: unknown): boolean {
  if (error instanceof ConditionalCheckFailedException) return true;
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some((reason) => reason.Code === 'ConditionalCheckFailed')
  );
}

const busyNames = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const busyReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict']);
const unreachableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** Whether the table, not the request, is at fault, so that the same request may succeed a little later. */
export function isTableUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some((reason) => busyReasons.has(reason.Code ?? ''));
  }
  if (busyNames.has(error.name) || error.name === 'TimeoutError') return true;
  return 'code' in error && typeof error.code === 'string' && unreachableCodes.has(error.code);
}
