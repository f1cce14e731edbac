import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations as registry } from '../../shared/operations/registry.ts';
import { givenFullConfig } from '../support/membership.ts';
import { probe } from '../support/probe-operation.ts';
import { startService } from '../support/service.ts';
import { describeKeys } from './api-key-cases.ts';
import { describeBodies } from './body-cases.ts';
import { Contract, mine, theirs } from './contract.ts';
import { createWorld } from './contract-fixture.ts';
import { describePaths } from './path-cases.ts';
import { describeAnswers } from './response-cases.ts';
import { describeFans } from './sso-cases.ts';

const operations: readonly Operation[] = [...registry, probe];

let contract: Contract;

beforeAll(async () => {
  const service = await startService([mine, theirs], { schedules: 'off' });
  contract = new Contract(service, await service.newKey(mine));
  for (const orgId of [mine, theirs]) await createWorld(service.table, orgId);
  for (const orgId of [mine, theirs]) await givenFullConfig(service.table, orgId);
});
afterAll(async () => {
  // A grant that is missing anywhere shows here with the function and the action that it lacks.
  const { service } = contract;
  const refusals = service.logs.filter((line) => line.includes('is not authorized to perform'));
  await service.stop();
  expect(refusals).toEqual([]);
});

// One operation after the other, so that each is started once and then warm.
describe.each(operations)('$id', (operation) => {
  const { auth, input } = operation;
  const hasPath = Object.keys(input.params.entries).length > 0;
  describe('answers', () => describeAnswers(operation, operations, () => contract));
  if (auth.kind !== 'public') describe('refuses', () => describeKeys(operation, () => contract));
  if (hasPath && !auth.ssoUser) describe('looks for', () => describePaths(operation, () => contract));
  if (auth.ssoUser) describe('serves', () => describeFans(operation, () => contract));
  if (Object.keys(input.body.entries).length > 0)
    describe('reads its body', () => describeBodies(operation, () => contract));
});
