import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { CloudClock } from '../clock/cloud-clock.ts';
import { CloudError } from '../cloud-error.ts';
import type { Deliver } from '../eventbridge/deliver.ts';
import { eventTime } from '../eventbridge/event.ts';
import type { Rule } from '../eventbridge/rules.ts';
import type { AsynchronousInvoker } from '../lambda/asynchronous-invoker.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import { localAccountId } from '../template/assembly.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { readProperties } from '../template/properties.ts';
import { rateMs } from './rate.ts';

export interface Schedule {
  logicalId: string;
  arn: string;
  periodMs: number;
  definition: FunctionDefinition;
  roleArn: string;
  input: string | undefined;
}

const ScheduleProperties = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.string(), 'ENABLED'),
  Target: v.object({ Arn: v.string(), RoleArn: v.string(), Input: v.optional(v.string()) }),
});

export function readSchedules(template: ParsedTemplate, functions: readonly FunctionDefinition[]): Schedule[] {
  return template.ofType('AWS::Scheduler::Schedule').flatMap((resource) => {
    const { logicalId } = resource;
    const { ScheduleExpression, State, Target } = readProperties(resource, ScheduleProperties);
    const definition = findFunction(functions, Target.Arn);
    if (definition === undefined)
      throw new CloudError(`The schedule ${logicalId} has a target that is not a function of the template`);
    if (State === 'DISABLED') return [];
    const periodMs = rateMs(ScheduleExpression, logicalId);
    return {
      logicalId,
      arn: resource.attributes.Arn ?? resource.ref,
      periodMs,
      definition,
      roleArn: Target.RoleArn,
      input: Target.Input,
    };
  });
}

export interface ScheduleRunOptions {
  schedules: readonly Schedule[];
  rules: readonly Rule[];
  deliver: Deliver;
  invoker: AsynchronousInvoker;
  clock: CloudClock;
  region: string;
  /** Whether a schedule that is due runs. */
  areOn(): boolean;
}

/** Runs schedules and scheduled rules on the clock of the local cloud. They end when the clock stops. */
export function startSchedules(options: ScheduleRunOptions): void {
  const { schedules, rules, deliver, invoker, clock, region, areOn } = options;
  const every = (periodMs: number, run: () => void) => clock.every(periodMs, () => areOn() && run());
  const event = (source: string, arn: string, detail: unknown) => ({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source,
    account: localAccountId,
    time: eventTime(clock.now()),
    region,
    resources: [arn],
    detail,
  });
  for (const rule of rules) {
    if (rule.periodMs !== undefined) every(rule.periodMs, () => void deliver(rule, event('aws.events', rule.arn, {})));
  }
  for (const schedule of schedules) {
    every(schedule.periodMs, () => {
      const payload =
        schedule.input === undefined
          ? event('aws.scheduler', schedule.arn, '{}')
          : JSON.parse(withContext(schedule.input, schedule.arn, clock.now()));
      invoker.invoke(schedule.definition, payload);
    });
  }
}

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function withContext(input: string, arn: string, nowMs: number): string {
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', eventTime(nowMs))
    .replaceAll('<aws.scheduler.execution-id>', randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}
