import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../lib/stage-config.ts';
import { operations } from '../../shared/operations/registry.ts';
import { checkAccount } from '../../tools/rehearsal/check-account.ts';
import { neededConcurrency } from '../../tools/rehearsal/check-capacity.ts';
import { rehearsedStack } from '../../tools/rehearsal/rehearsed-stack.ts';
import { assembly } from '../support/assembly.ts';
import { functionOf, rehearseBroken, resourcesOf } from '../support/broken-stack.ts';

const prod = assembly('prod');

describe('Lambda concurrency', () => {
  it('the rehearsal computes the Lambda concurrency that the account must have', () => {
    const needed = neededConcurrency(rehearsedStack(prod.assemblyDir));
    const { lambdaConcurrency } = stageConfig('prod');
    expect(needed.total).toBeLessThanOrEqual(lambdaConcurrency);
    const sale = ['list-event-prices', 'open-basket', 'add-basket-item', 'prepare-payment', 'check-out-basket'];
    for (const id of [...sale, 'record-scan']) {
      expect(operations.find((operation) => operation.id === id)?.runtime.concurrency).toBeGreaterThan(0);
    }
    const problems = rehearseBroken((template) => {
      functionOf(template, 'list-customers').Properties.ReservedConcurrentExecutions = lambdaConcurrency;
    });
    expect(problems).toEqual([
      `prod needs a Lambda concurrency of ${needed.total + lambdaConcurrency}: ${needed.reserved + lambdaConcurrency} reserved, ${needed.queueWorkers} for the workers of queues, ${needed.streamConsumers} for the consumers of the stream, 100 for all other functions. lib/stage-config.ts states ${lambdaConcurrency}. Reserve less, or request a higher quota from AWS and state it.`,
    ]);
    const operating = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    expect(operating).toContain(
      `a Lambda concurrency of ${needed.total}: ${needed.reserved} reserved, ${needed.queueWorkers} for the workers of queues, ${needed.streamConsumers} for the consumers of the stream`,
    );
  });

  it('the rehearsal demands a reservation of streamed, public and paying functions, and a cap of every queue worker', () => {
    const ids = ['list-event-scans', 'health', 'prepare-payment', 'receive-stripe-event', 'sweep-baskets'];
    const problems = rehearseBroken((template) => {
      for (const id of ids) delete functionOf(template, id).Properties.ReservedConcurrentExecutions;
      const [mapping] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
        ([, { Properties }]) => Properties.ScalingConfig !== undefined,
      );
      delete mapping?.[1].Properties.ScalingConfig;
    });
    expect(problems).toHaveLength(ids.length + 1);
    for (const id of ids) expect(problems).toContainEqual(expect.stringMatching(`^${id} has no reserved concurrency`));
    expect(problems.at(-1)).toMatch(/^The queue mapping \S+ has no maximum concurrency/);
  });

  it('the rehearsal compares the account with the stage, without what the stage itself has reserved', () => {
    const stack = rehearsedStack(prod.assemblyDir);
    const { total, reserved } = neededConcurrency(stack);
    const templates = stack.stacks.map(({ template }) => template);
    const inAccount = (limit: number, unreserved: number, deployed: readonly unknown[] = []) =>
      checkAccount(stack, deployed, { region: 'ap-southeast-2', limit, unreserved });
    expect(inAccount(total, total)).toEqual([]);
    expect(inAccount(total, total - reserved, templates)).toEqual([]);
    expect(inAccount(total, total - reserved - 1, templates)).toEqual([
      expect.stringContaining(`The account has ${total} in ap-southeast-2, of which others reserve 1.`),
    ]);
    expect(inAccount(1_000, 1_000)).toEqual([
      expect.stringContaining(`--desired-value ${total} --region ap-southeast-2`),
    ]);
    // Nothing is reserved on dev, so AWS deploys it to a new account too.
    const dev = rehearsedStack(assembly('dev').assemblyDir);
    expect(checkAccount(dev, [], { region: 'us-east-1', limit: 10, unreserved: 10 })).toEqual([]);
  });
});
