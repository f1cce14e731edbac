import { CloudError } from '../cloud-error.ts';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import type { Queue } from './queues.ts';

export interface OutgoingMessage {
  body: string;
  attributes?: Readonly<Record<string, string>>;
  groupId?: string;
}

/** Sends the messages that AWS services send to queues: events, failed batches, dead letters. */
export class QueueSender {
  readonly #queues: readonly Queue[];
  readonly #sqs: AwsJsonClient;
  readonly #sending = new Set<Promise<unknown>>();

  constructor(queues: readonly Queue[], sqs: AwsJsonClient) {
    this.#queues = queues;
    this.#sqs = sqs;
  }

  has(arn: string): boolean {
    return this.#queues.some((queue) => queue.arn === arn);
  }

  async send(arn: string, { body, attributes = {}, groupId }: OutgoingMessage): Promise<void> {
    const queue = this.#queues.find((candidate) => candidate.arn === arn);
    if (queue === undefined) throw new CloudError(`The template has no queue ${arn}`);
    const sent = this.#sqs.call('SendMessage', {
      QueueUrl: queue.url,
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
      ),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
    });
    this.#sending.add(sent);
    await sent.finally(() => this.#sending.delete(sent));
  }

  /** Resolves when no message is in flight. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }
}
