import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { signingKeys } from '../../../tools/fixtures/signing-key.ts';
import { givenTableWithKey, retrieve } from '../../support/organisation-pipeline.ts';
import { printedLines } from '../../support/printed-lines.ts';

const orgId = 'org_objectives';
let table: Table;
let key: string;

beforeAll(async () => {
  ({ table, key } = await givenTableWithKey(orgId));
});
afterEach(() => vi.unstubAllEnvs());

const objective = { latencyMs: 100 };
const withObjective = { ...retrieveOrganisation, runtime: { ...retrieveOrganisation.runtime, objective } };

/** The metrics of one request whose handler takes this long. */
async function metricsOf(operation: typeof retrieveOrganisation, tookMs: number, failure?: Error): Promise<unknown> {
  let nowMs = Date.now();
  const run = pipeline(
    operation,
    (input, deps) => {
      nowMs += tookMs;
      if (failure !== undefined) throw failure;
      return retrieve(input, deps);
    },
    { clock: { nowMs: () => nowMs }, table: () => table, signingKeys },
  );
  const event = apiEvent({ headers: { Authorization: `Bearer ${key}` } });
  const lines = await printedLines(() => run(event, lambdaContext()));
  return lines.find((line) => typeof line === 'object' && line !== null && '_aws' in line);
}

describe('metrics of payments', () => {
  it('a payment that the provider refuses with any card is counted by itself, for the operation and for the stage', async () => {
    const metrics = await metricsOf(retrieveOrganisation, 1, problem('payment_refused', 'Refused.'));
    expect(metrics).toMatchObject({ PaymentRefused: 1 });
    expect(JSON.stringify(metrics)).toContain(
      '"Dimensions":[["stage"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"},{"Name":"PaymentRefused"}]',
    );
    expect(await metricsOf(retrieveOrganisation, 1, problem('card_declined', 'Declined.'))).toMatchObject({
      Invalid: 1,
    });
  });
});

describe('metrics of objectives', () => {
  it('a request within its time meets the objective, also at the limit', async () => {
    expect(await metricsOf(withObjective, 100)).toMatchObject({ Succeeded: 1, Latency: 100, ObjectiveMissed: 0 });
  });

  it('a request that takes too long misses the objective', async () => {
    expect(await metricsOf(withObjective, 101)).toMatchObject({ Succeeded: 1, Latency: 101, ObjectiveMissed: 1 });
  });

  it('a request that fails misses the objective, however fast it is', async () => {
    expect(await metricsOf(withObjective, 1, new Error('This handler fails.'))).toMatchObject({
      Failed: 1,
      Latency: 1,
      ObjectiveMissed: 1,
    });
  });

  it('an operation without an objective measures only its latency', async () => {
    const metrics = await metricsOf(retrieveOrganisation, 5);
    expect(metrics).toMatchObject({ Succeeded: 1, Latency: 5 });
    expect(metrics).not.toHaveProperty('ObjectiveMissed');
  });
});
