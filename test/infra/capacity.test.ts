import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { concurrencyPlan } from '../../lib/concurrency-plan.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import {
  fullSaleConcurrencies,
  mostSaleBuyers,
  saleConcurrencies,
  totalConcurrency,
} from '../../shared/domain/lambda-concurrency.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
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
      expect.stringContaining(
        `prod needs a Lambda concurrency of ${needed.total + lambdaConcurrency}: ${needed.reserved + lambdaConcurrency} reserved, ${needed.queueWorkers} for the workers of queues, ${needed.streamConsumers} for the consumers of the stream, 100 for all other functions. lib/stage-config.ts states ${lambdaConcurrency}.`,
      ),
    ]);
    const { least, full } = concurrencyPlan(stageConfig('prod'));
    expect(problems[0]).toContain(`${least} is the least that fits, and ${full} is enough for a sale of 50000 buyers`);
    const operating = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    expect(operating).toContain(
      `a Lambda concurrency of ${needed.total}: ${needed.reserved} reserved, ${needed.queueWorkers} for the workers of queues, ${needed.streamConsumers} for the consumers of the stream`,
    );
  });

  it('reservations follow from what the account has: any account from the least up is divided without a rest that is too small', () => {
    const { least, full } = concurrencyPlan(stageConfig('prod'));
    // A new account has 1,000, or AWS raises it to that without a question.
    expect(least).toBeLessThan(1_000);
    const fullNumbers = fullSaleConcurrencies([...operations, ...workers]);
    let mostBefore = 0;
    for (const lambdaConcurrency of [least, 1_000, 1_001, 2_000, full, 10_000]) {
      const config = { ...stageConfig('prod'), lambdaConcurrency };
      const { reserved, queueWorkers, shards, sale } = concurrencyPlan(config);
      const numbers = [...operations, ...workers]
        .filter((each) => !('source' in each) || isDeployedWith(each, 'stripe'))
        .flatMap(({ runtime }) => runtime.concurrency ?? []);
      const queues = workers.flatMap(({ source }) => (source.kind === 'queue' ? [source.concurrency] : []));
      const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
      const rest = sum(queues.map(queueWorkers)) + 3 * shards + 100;
      expect(sum(numbers.map(reserved)) + rest).toBeLessThanOrEqual(lambdaConcurrency);
      for (const number of numbers) expect(reserved(number)).toBeGreaterThan(0);
      // The largest sale that fits leaves the others what they have.
      const most = mostSaleBuyers(fullNumbers, sale.everyday, sale.room);
      const raised = saleConcurrencies(fullNumbers, sale.everyday, most);
      const others = sum(numbers.map(reserved)) - totalConcurrency(sale.everyday);
      expect(totalConcurrency(raised) + others + rest).toBeLessThanOrEqual(lambdaConcurrency);
      expect(most).toBeGreaterThanOrEqual(mostBefore);
      mostBefore = most;
    }
    expect(mostBefore).toBeGreaterThan(50_000);
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
    const { least } = concurrencyPlan(stageConfig('prod'));
    const small = inAccount(least + 1, least + 1);
    expect(small).toEqual([expect.stringContaining(`--desired-value ${total} --region ap-southeast-2`)]);
    expect(small[0]).toContain(`State what is left, and it fits: lambdaConcurrency: ${least + 1} in`);
    expect(inAccount(10, 10)).toEqual([expect.stringContaining(`At least ${least} must be left for prod.`)]);
    // Nothing is reserved on dev, so AWS deploys it to a new account too.
    const dev = rehearsedStack(assembly('dev').assemblyDir);
    expect(checkAccount(dev, [], { region: 'us-east-1', limit: 10, unreserved: 10 })).toEqual([]);
  });
});
