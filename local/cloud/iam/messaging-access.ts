import { localAccountId } from '../template/assembly.ts';
import { type AccessRequestReader, accessRequest, listMember, textMember } from './access-request.ts';

/** The batch operations of SQS need the permissions of the single ones. */
const singleOperation: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

export function sqsAccess(region: string): AccessRequestReader {
  return (operation, input) => {
    const queueName = textMember(input, 'QueueUrl').split('/').at(-1) || textMember(input, 'QueueName') || '*';
    const action = `sqs:${singleOperation[operation] ?? operation}`;
    return [accessRequest(action, `arn:aws:sqs:${region}:${localAccountId}:${queueName}`)];
  };
}

export function eventBridgeAccess(region: string): AccessRequestReader {
  return (operation, input) => {
    const action = `events:${operation}`;
    if (operation !== 'PutEvents') return [accessRequest(action, '*')];
    const buses = new Set(listMember(input, 'Entries').map((entry) => eventBusName(textMember(entry, 'EventBusName'))));
    return [...buses].map((bus) =>
      accessRequest(action, `arn:aws:events:${region}:${localAccountId}:event-bus/${bus}`),
    );
  };
}

/** A request refers to a bus by name or ARN; without either, to the bus named default. */
export function eventBusName(nameOrArn: string): string {
  return nameOrArn === '' ? 'default' : (nameOrArn.split('event-bus/').at(-1) ?? nameOrArn);
}

export function secretsManagerAccess(arnOf: (secretId: string) => string): AccessRequestReader {
  return (operation, input) => [accessRequest(`secretsmanager:${operation}`, arnOf(textMember(input, 'SecretId')))];
}
