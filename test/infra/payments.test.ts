import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const paying = [...operations, ...workers].filter(({ effects }) => effects.usesPayments);
const others = [...operations, ...workers].filter(({ effects }) => !effects.usesPayments);
const library = 'api.stripe.com';

describe('payments in the stack', () => {
  it('payments use the sandbox on dev and Stripe on prod, where only paying functions may read the key', () => {
    expect(paying.map(({ id }) => id)).toEqual(['check-out-basket', 'sweep-baskets']);
    const [dev, prod] = [readStack('dev'), readStack('prod')];
    const [key] = [...prod.resources.keys()].filter(
      (id) => id.startsWith('StripeKey') && !id.startsWith('StripeKeyArn'),
    );
    for (const deployed of paying) {
      expect(dev.functionOf(deployed).Properties.Environment).toMatchObject({ Variables: { PAYMENTS: 'sandbox' } });
      expect(prod.functionOf(deployed).Properties.Environment).toMatchObject({ Variables: { PAYMENTS: { Ref: key } } });
    }
    const readers = prod
      .ofType('AWS::IAM::Role')
      .filter(({ Properties }) => referencesIn(Properties.Policies).includes(key ?? ''));
    expect(readers).toHaveLength(paying.length);
  });

  it('paying functions have a longer timeout than the provider, and a shorter one than API Gateway', () => {
    for (const operation of operations.filter(({ effects }) => effects.usesPayments)) {
      const timeout = Number(readStack('prod').functionOf(operation).Properties.Timeout);
      expect(timeout).toBeGreaterThan(15 + 4);
      expect(timeout).toBeLessThan(29);
    }
  });

  it('only the bundles of paying functions contain the Stripe code', () => {
    const stack = readStack('prod');
    for (const deployed of paying) expect(stack.bundleOf(deployed)).toContain(library);
    for (const deployed of others) expect(stack.bundleOf(deployed), deployed.id).not.toContain(library);
  });
});
