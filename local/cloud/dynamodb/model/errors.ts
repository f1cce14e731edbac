import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './values.ts';

const $metadata = { httpStatusCode: 400 };

/** A request that DynamoDB refuses because of its content. */
export function validationError(message: string): Error {
  return serviceError('ValidationException', message);
}

export function serviceError(name: string, message: string): Error {
  return new DynamoDBServiceException({ name, $fault: 'client', message, $metadata });
}

export function conditionFailed(current: Item | undefined): Error {
  const message = 'The conditional request failed';
  return new ConditionalCheckFailedException({ message, $metadata, ...(current && { Item: marshall(current) }) });
}

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

/** A transaction that wrote nothing, with one reason for each of its items. */
export function transactionCancelled(reasons: readonly CancellationReason[]): Error {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons.map(({ Item, ...reason }) => ({ ...reason, ...(Item && { Item: marshall(Item) }) })),
    $metadata,
  });
}

export function tokenMismatch(): Error {
  const Message = 'The request uses the same client token as a previous, but non-identical request.';
  return new IdempotentParameterMismatchException({ Message, message: Message, $metadata });
}
