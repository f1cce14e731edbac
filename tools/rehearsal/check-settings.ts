import * as v from 'valibot';
import { configOf, type RehearsedStack } from './rehearsed-stack.ts';

const WithVariables = v.looseObject({
  Environment: v.optional(v.looseObject({ Variables: v.record(v.string(), v.unknown()) }), { Variables: {} }),
});

/** What only the team that runs a guarded stage knows, and without which clients or buyers would fail. */
export function checkSettings(stack: RehearsedStack): string[] {
  const { stage, guarded } = configOf(stack);
  if (!guarded) return [];
  const variables = stack
    .ofType('AWS::Lambda::Function')
    .map(({ Properties }) => v.parse(WithVariables, Properties).Environment.Variables);
  const missing = [
    {
      setting: 'domain',
      isMissing: stack.ofType('AWS::ApiGateway::DomainName').length === 0,
      why: 'clients would use the address of API Gateway, which another region cannot take over',
    },
    {
      setting: 'stripePublishableKey',
      isMissing: variables.some(
        ({ PAYMENTS = 'sandbox', STRIPE_PUBLISHABLE_KEY }) =>
          PAYMENTS !== 'sandbox' && STRIPE_PUBLISHABLE_KEY === 'none',
      ),
      why: "pages could not load Stripe's component, and no buyer could pay",
    },
    {
      setting: 'monthlyBudgetUsd',
      isMissing: stack.ofType('AWS::Budgets::Budget').length === 0,
      why: 'the bill would be the first to say what a mistake or an attack costs',
    },
  ];
  return missing
    .filter(({ isMissing }) => isMissing)
    .map(({ setting, why }) => `Set ${setting} of ${stage} in lib/stage-config.ts: without it, ${why}.`);
}
