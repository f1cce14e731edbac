import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { allowToPublish } from './alarm-topic.ts';

/** The percentages of the budget that notify the alarm topic: what the month will cost, and what it has cost. */
const thresholds = [
  { notificationType: 'FORECASTED', threshold: 100 },
  { notificationType: 'ACTUAL', threshold: 100 },
] as const;

/**
 * A budget over everything in the account. Limited to the tags of the stage it would see no cost, and say nothing, until someone
 * activates them for billing.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { usd, topic }: { readonly usd: number; readonly topic: Topic }) {
    super(scope, id);
    allowToPublish(topic, 'budgets.amazonaws.com', Stack.of(this).account);
    // Without a name: names are unique in the account, and after the loss of a region the stage has a second budget.
    new CfnBudget(this, 'Monthly', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: usd, unit: 'USD' } },
      notificationsWithSubscribers: thresholds.map((threshold) => ({
        notification: { ...threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
      })),
    });
  }
}
