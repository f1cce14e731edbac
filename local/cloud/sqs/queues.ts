import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { Flag, Numeric, readProperties } from '../template/properties.ts';

export interface Queue {
  logicalId: string;
  name: string;
  url: string;
  arn: string;
  /** The attributes in SQS's names and format. */
  attributes: Record<string, string>;
  visibilityTimeoutSeconds: number;
}

const QueueProperties = v.object({
  VisibilityTimeout: v.optional(Numeric),
  DelaySeconds: v.optional(Numeric),
  MaximumMessageSize: v.optional(Numeric),
  MessageRetentionPeriod: v.optional(Numeric),
  ReceiveMessageWaitTimeSeconds: v.optional(Numeric),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: Numeric })),
  FifoQueue: v.optional(Flag),
  ContentBasedDeduplication: v.optional(Flag),
});

const defaultVisibilityTimeoutSeconds = 30;

export function readQueues(template: ParsedTemplate): Queue[] {
  const resources = template.ofType('AWS::SQS::Queue');
  const knownArns = resources.map(({ attributes }) => attributes.Arn);
  return resources.map((resource) => {
    const properties = readProperties(resource, QueueProperties);
    const deadLetterArn = properties.RedrivePolicy?.deadLetterTargetArn;
    if (deadLetterArn !== undefined && !knownArns.includes(deadLetterArn)) {
      throw new CloudError(`The dead-letter queue of ${resource.logicalId} is not in the template: ${deadLetterArn}`);
    }
    return {
      logicalId: resource.logicalId,
      name: resource.attributes.QueueName ?? resource.logicalId,
      url: resource.ref,
      arn: resource.attributes.Arn ?? resource.ref,
      attributes: attributesOf(properties),
      visibilityTimeoutSeconds: properties.VisibilityTimeout ?? defaultVisibilityTimeoutSeconds,
    };
  });
}

function attributesOf(properties: v.InferOutput<typeof QueueProperties>): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined) attributes[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return attributes;
}
