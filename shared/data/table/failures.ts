import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../platform/fault.ts';

/** Others changed the same thing each time that we tried. Nothing was written; the same request may succeed a little later. */
export class Contended extends Fault {}

/** Whether a write was refused by its own condition, alone or as part of a transaction. */
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

/** Whether what we stand on, not the request, is at fault, so that the same request may succeed a little later. */
export function isTableUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Contended) return true;
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some((reason) => busyReasons.has(reason.Code ?? ''));
  }
  return busyNames.has(error.name) || error.name === 'TimeoutError' || isServerFault(error) || isUnreachable(error);
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
