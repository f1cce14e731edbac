import { afterAll, beforeAll, describe } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { createContractFixture } from '../../tools/fixtures/contract/contract-fixture.ts';
import { deployment } from '../../tools/fixtures/deployment.ts';
import { givenFullConfig } from '../../tools/fixtures/membership.ts';
import { probe } from '../support/probe-operation.ts';
import { shareService } from '../support/service.ts';
import { testedOperations } from '../support/tested-operations.ts';
import { isThorough } from '../support/thorough.ts';
import { describeApiKeys } from './api-key-cases.ts';
import { describeBodies } from './body-cases.ts';
import { Contract, mine, theirs } from './contract.ts';
import { describeCors } from './cors-cases.ts';
import { describePaths } from './path-cases.ts';
import { describeReferences } from './reference-cases.ts';
import { describeResponses } from './response-cases.ts';
import { describeSsoTokens } from './sso-cases.ts';
import { describeStorefrontTokens } from './storefront-cases.ts';

// Only the stack of these tests has the probe.
const operations: readonly Operation[] = deployment === undefined ? [...testedOperations, probe] : testedOperations;
/** A function takes half a second of CPU time to start. `npm test` starts every tenth; TEST_OPERATIONS, a deployment and the night start all. */
const isWhole = deployment !== undefined || process.env.TEST_OPERATIONS !== undefined;
const started = operations.filter(
  (operation, index) => isThorough || isWhole || operation === probe || index % 10 === 0,
);

let contract: Contract;

beforeAll(async () => {
  const service = await shareService([mine, theirs]);
  contract = new Contract(service, await service.newKey(mine));
  for (const orgId of [mine, theirs]) await createContractFixture(service.table, orgId);
  for (const orgId of [mine, theirs]) await givenFullConfig(service.table, orgId);
});
afterAll(() => contract.service.stop());

// One operation after the other, so each function starts once and is then warm.
describe.each(started)('$id', (operation) => {
  const { auth, input } = operation;
  const hasPath = Object.keys(input.params.entries).length > 0;
  describe('response', () => describeResponses(operation, operations, () => contract));
  // Their tests are sampled, so for some operations there are none: they have no group of their own, which would be empty.
  describeCors(operation, () => contract);
  if (auth.kind !== 'public') describeApiKeys(operation, () => contract);
  if (auth.kind !== 'public') describeStorefrontTokens(operation, () => contract);
  if (hasPath && auth.ssoUser !== 'linked') describePaths(operation, () => contract);
  if (auth.ssoUser) describeSsoTokens(operation, () => contract);
  if (Object.keys(input.body.entries).length > 0)
    describe('request body', () => {
      describeBodies(operation, () => contract);
      describeReferences(operation, () => contract);
    });
});
