import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { concurrencyPlan } from '../../lib/concurrency-plan.ts';
import { neededConcurrency, neededText } from './check-capacity.ts';
import { configOf, type RehearsedStack } from './rehearsed-stack.ts';

/** The Lambda concurrency of the account in a region. */
export interface AccountConcurrency {
  readonly region: string;
  readonly limit: number;
  /** The part that no function has reserved. */
  readonly unreserved: number;
}

/** Asks AWS. The quota that lib/stage-config.ts states may not have been granted. */
export async function readAccount(): Promise<AccountConcurrency> {
  const client = new LambdaClient({ maxAttempts: 10 });
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    return {
      region: await client.config.region(),
      limit: AccountLimit?.ConcurrentExecutions ?? 0,
      unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    };
  } finally {
    client.destroy();
  }
}

const Template = v.looseObject({
  Resources: v.record(
    v.string(),
    v.looseObject({
      Properties: v.optional(v.looseObject({ ReservedConcurrentExecutions: v.optional(v.number(), 0) }), {
        ReservedConcurrentExecutions: 0,
      }),
    }),
  ),
});

/**
 * Finds before CloudFormation does that the account has too little, also because other stages and services have reserved some of it.
 * `deployed` are the templates of the stage as it is now. A stage without reservations is never refused.
 */
export function checkAccount(
  stack: RehearsedStack,
  deployed: readonly unknown[],
  { region, limit, unreserved }: AccountConcurrency,
): string[] {
  const needed = neededConcurrency(stack);
  const own = deployed
    .flatMap((template) => Object.values(v.parse(Template, template).Resources))
    .reduce((total, { Properties }) => total + Properties.ReservedConcurrentExecutions, 0);
  const ofOthers = Math.max(0, limit - unreserved - own);
  if (needed.reserved === 0 || needed.total <= limit - ofOthers) return [];
  const wanted = needed.total + ofOthers;
  const config = configOf(stack);
  const { least } = concurrencyPlan(config);
  const instead =
    limit - ofOthers < least
      ? `At least ${least} must be left for ${config.stage}.`
      : `State what is left, and it fits: lambdaConcurrency: ${limit - ofOthers} in lib/stage-config.ts.`;
  return [
    `${neededText(config.stage, needed)} The account has ${limit} in ${region}, of which others reserve ${ofOthers}. ${instead} Or request more before you deploy: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${wanted} --region ${region}`,
  ];
}
