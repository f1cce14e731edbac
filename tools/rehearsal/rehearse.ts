import { readFileSync } from 'node:fs';
import { checkAlarms } from './check-alarms.ts';
import { checkCapacity } from './check-capacity.ts';
import { checkGrants } from './check-grants.ts';
import { checkFilters, checkQueues, checkRules, checkStreams } from './check-messaging.ts';
import { checkSettings } from './check-settings.ts';
import { checkSilence } from './check-silence.ts';
import { checkStateful, type StatefulResources } from './check-stateful.ts';
import { checkCode, checkLimits, checkReferences } from './check-template.ts';
import { checkVariables } from './check-variables.ts';
import type { RehearsedStack } from './rehearsed-stack.ts';
import { ruleSamples } from './samples.ts';

export const statefulFile = new URL('../../lib/stateful-resources.json', import.meta.url);

/** All problems of stacks that CloudFormation would deploy but that would not work or would lose data. Needs no AWS account. */
export function rehearse(stack: RehearsedStack): string[] {
  const accepted: StatefulResources = JSON.parse(readFileSync(statefulFile, 'utf8'));
  return [
    ...checkLimits(stack),
    ...checkReferences(stack),
    ...checkCode(stack),
    ...checkVariables(stack),
    ...checkGrants(stack),
    ...checkSettings(stack),
    ...checkAlarms(stack),
    ...checkSilence(stack),
    ...checkCapacity(stack),
    ...checkQueues(stack),
    ...checkStreams(stack),
    ...checkFilters(stack),
    ...checkRules(stack, ruleSamples()),
    ...checkStateful(stack, accepted),
  ];
}
