import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import { eventBusName } from '../iam/messaging-access.ts';
import { rateMs } from '../schedules/rate.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { readProperties } from '../template/properties.ts';
import { compileEventPattern, type EventMatcher } from './event-pattern.ts';

export interface Target {
  arn: string;
  /** A constant that replaces the event. */
  input: string | undefined;
  /** The part of the event that is sent instead of all of it. */
  inputPath: string | undefined;
  deadLetterArn: string | undefined;
  messageGroupId: string | undefined;
}

export interface Rule {
  logicalId: string;
  arn: string;
  busName: string;
  matches: EventMatcher | undefined;
  /** The period of a scheduled rule. */
  periodMs: number | undefined;
  targets: Target[];
}

const RuleProperties = v.object({
  EventBusName: v.optional(v.string(), ''),
  EventPattern: v.optional(v.unknown()),
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(
    v.array(
      v.object({
        Arn: v.string(),
        Input: v.optional(v.string()),
        InputPath: v.optional(v.string()),
        InputTransformer: v.optional(v.never('input transformers are not supported')),
        DeadLetterConfig: v.optional(v.object({ Arn: v.string() })),
        SqsParameters: v.optional(v.object({ MessageGroupId: v.string() })),
      }),
    ),
    [],
  ),
});

/** Reads the enabled rules. */
export function readRules(template: ParsedTemplate): Rule[] {
  const buses = new Set(['default', ...template.ofType('AWS::Events::EventBus').map(({ ref }) => ref)]);
  return template.ofType('AWS::Events::Rule').flatMap((resource) => {
    const properties = readProperties(resource, RuleProperties);
    const expression = properties.ScheduleExpression;
    const busName = eventBusName(properties.EventBusName);
    if (!buses.has(busName))
      throw new CloudError(`The rule ${resource.logicalId} belongs to a bus that is not in the template: ${busName}`);
    if (properties.State === 'DISABLED') return [];
    return {
      logicalId: resource.logicalId,
      arn: resource.attributes.Arn ?? resource.ref,
      busName,
      matches: properties.EventPattern === undefined ? undefined : compile(properties.EventPattern, resource.logicalId),
      periodMs: expression === undefined ? undefined : rateMs(expression, resource.logicalId),
      targets: properties.Targets.map((target) => ({
        arn: target.Arn,
        input: target.Input,
        inputPath: target.InputPath,
        deadLetterArn: target.DeadLetterConfig?.Arn,
        messageGroupId: target.SqsParameters?.MessageGroupId,
      })),
    };
  });
}

function compile(pattern: unknown, logicalId: string): EventMatcher {
  try {
    return compileEventPattern(pattern);
  } catch (error) {
    if (error instanceof CloudError) throw new CloudError(`The rule ${logicalId}: ${error.message}`);
    throw error;
  }
}
