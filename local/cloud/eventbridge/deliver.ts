import { CloudError } from '../cloud-error.ts';
import type { AsynchronousInvoker } from '../lambda/asynchronous-invoker.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import type { QueueSender } from '../sqs/queue-sender.ts';
import type { Queue } from '../sqs/queues.ts';
import { isRecord } from '../template/intrinsics.ts';
import type { Rule, Target } from './rules.ts';

export interface DeliveryOptions {
  functions: readonly FunctionDefinition[];
  queues: QueueSender;
  invoker: AsynchronousInvoker;
}

export type Deliver = (rule: Rule, event: unknown) => Promise<void>;

/**
 * Sends an event to every target of a rule. If a target fails, the event goes to the dead-letter queue of that target. As on
 * AWS, the publisher does not learn of the failure.
 */
export function createDelivery({ functions, queues, invoker }: DeliveryOptions): Deliver {
  async function deliverTo(target: Target, event: unknown): Promise<void> {
    const payload = payloadFor(target, event);
    const definition = findFunction(functions, target.arn);
    if (definition !== undefined) invoker.invoke(definition, JSON.parse(payload));
    else
      await queues.send(target.arn, {
        body: payload,
        ...(target.messageGroupId && { groupId: target.messageGroupId }),
      });
  }

  async function deliverOrDeadLetter(rule: Rule, target: Target, event: unknown): Promise<void> {
    try {
      await deliverTo(target, event);
    } catch (error) {
      if (target.deadLetterArn !== undefined) {
        await queues.send(target.deadLetterArn, deadLetter(rule, target, event, error));
      } else {
        process.emitWarning(`The rule ${rule.logicalId} could not deliver an event to ${target.arn}: ${String(error)}`);
      }
    }
  }

  return async (rule, event) => {
    const deliveries = await Promise.allSettled(rule.targets.map((target) => deliverOrDeadLetter(rule, target, event)));
    for (const delivery of deliveries) {
      if (delivery.status === 'rejected')
        process.emitWarning(`The rule ${rule.logicalId} lost an event: ${String(delivery.reason)}`);
    }
  };
}

/** Rejects at the start a target that could not be delivered to later. */
export function checkTargets(
  rules: readonly Rule[],
  functions: readonly FunctionDefinition[],
  queues: readonly Queue[],
): void {
  const isQueue = (arn: string) => queues.some((queue) => queue.arn === arn);
  for (const rule of rules) {
    for (const { arn, deadLetterArn } of rule.targets) {
      const known = findFunction(functions, arn) !== undefined || isQueue(arn);
      if (!known)
        throw new CloudError(
          `The rule ${rule.logicalId} has a target that is neither a function nor a queue of the template: ${arn}`,
        );
      if (deadLetterArn !== undefined && !isQueue(deadLetterArn)) {
        throw new CloudError(
          `The rule ${rule.logicalId} has a dead-letter queue that is not in the template: ${deadLetterArn}`,
        );
      }
    }
  }
}

function payloadFor({ input, inputPath }: Target, event: unknown): string {
  if (input !== undefined) return input;
  return JSON.stringify(inputPath === undefined ? event : (atPath(event, inputPath) ?? null));
}

/** Simple JSON paths such as `$.detail.order`, as InputPath uses them. */
function atPath(event: unknown, path: string): unknown {
  let value = event;
  for (const key of path.split('.').slice(1)) value = isRecord(value) ? value[key] : undefined;
  return value;
}

function deadLetter(rule: Rule, target: Target, event: unknown, error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return {
    body: JSON.stringify(event),
    attributes: {
      RULE_ARN: rule.arn,
      TARGET_ARN: target.arn,
      ERROR_CODE: 'SDK_CLIENT_ERROR',
      ERROR_MESSAGE: message,
      EXHAUSTED_RETRY_CONDITION: 'NonRetryable',
    },
  };
}
