import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const onStripe = workers.filter((worker) => isDeployedWith(worker, 'stripe'));
const paying = [...operations, ...onStripe].filter(({ effects }) => effects.usesPayments);
const others = [...operations, ...onStripe].filter(({ effects }) => !effects.usesPayments);
/** A text of Stripe's library. */
const library = 'api.stripe.com';

describe('payments in the stack', () => {
  it('payments use the sandbox on dev and Stripe on prod, where only paying functions may read the key', () => {
    expect(paying.map(({ id }) => id)).toEqual([
      'add-basket-item',
      'add-basket-seats',
      'remove-basket-item',
      'prepare-payment',
      'check-out-basket',
      'cancel-basket',
      'update-basket-line',
      'remove-basket-line',
      'apply-code',
      'remove-code',
      'retrieve-payment-plan',
      'pay-instalment',
      'set-payment-method',
      'leave-waiting-list',
      'process-table-changes',
      'sweep-baskets',
      'charge-instalments',
      'run-jobs',
      'receive-stripe-event',
    ]);
    const [dev, prod] = [readStack('dev'), readStack('prod')];
    const [key] = [...prod.resources.keys()].filter(
      (id) => id.startsWith('StripeKey') && !id.startsWith('StripeKeyArn'),
    );
    for (const deployed of paying) {
      if ('source' in deployed && !isDeployedWith(deployed, 'sandbox')) continue;
      expect(dev.functionOf(deployed).Properties.Environment).toMatchObject({ Variables: { PAYMENTS: 'sandbox' } });
      expect(prod.functionOf(deployed).Properties.Environment).toMatchObject({ Variables: { PAYMENTS: { Ref: key } } });
    }
    const readers = prod
      .ofType('AWS::IAM::Role')
      .filter(({ Properties }) => referencesIn(Properties.Policies).includes(key ?? ''));
    expect(readers).toHaveLength(paying.length);
  });

  it("only the function that receives Stripe's events may read their secret, and no function of prod the rows of the sandbox", () => {
    const [dev, prod] = [readStack('dev'), readStack('prod')];
    const [secret = ''] = [...prod.resources.keys()].filter((id) => /^StripeWebhookSecret(?!Arn)/.test(id));
    const readers = prod
      .ofType('AWS::IAM::Role')
      .filter(({ Properties }) => referencesIn(Properties.Policies).includes(secret));
    expect(readers.map(({ logicalId }) => logicalId)).toEqual([expect.stringMatching(/receivestripeevent/i)]);
    expect(JSON.stringify(dev.ofType('AWS::IAM::Role'))).toContain('SBX#*');
    expect(JSON.stringify(prod.ofType('AWS::IAM::Role'))).not.toContain('SBX#');
  });

  it('only a stage with the sandbox has the page of the sandbox', () => {
    const page = workers.find(({ id }) => id === 'sandbox-payment-page');
    const path = page?.source.kind === 'route' ? page.source.path : '';
    const routesOf = (stage: 'dev' | 'prod') => JSON.stringify(readStack(stage).ofType('AWS::ApiGateway::RestApi'));
    expect(routesOf('dev')).toContain(path);
    expect(routesOf('prod')).not.toContain(path);
    expect(JSON.stringify([...readStack('prod').resources])).not.toContain('sandbox-payment-page');
  });

  it('paying functions have a longer timeout than the provider, and a shorter one than API Gateway', () => {
    const paid = operations.filter(({ effects }) => effects.usesPayments);
    expect(paid.length).toBeGreaterThan(0);
    for (const operation of paid) {
      const timeout = Number(readStack('prod').functionOf(operation).Properties.Timeout);
      expect(timeout).toBeGreaterThan(15 + 4);
      expect(timeout).toBeLessThan(29);
    }
  });

  it("only the bundles of paying functions contain Stripe's library", () => {
    const stack = readStack('prod');
    for (const deployed of paying) expect(stack.bundleOf(deployed)).toContain(library);
    for (const deployed of others) expect(stack.bundleOf(deployed), deployed.id).not.toContain(library);
  });
});
