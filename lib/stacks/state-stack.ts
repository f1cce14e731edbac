import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { AlarmTopic } from '../constructs/alarm-topic.ts';
import { Alarms } from '../constructs/alarms.ts';
import { DataKey } from '../constructs/data-key.ts';
import { GatelineTable, tableInUse } from '../constructs/gateline-table.ts';
import { MonthlyBudget } from '../constructs/monthly-budget.ts';
import { OperatorPolicies } from '../constructs/operator-policies.ts';
import { StageSecret, type StageSecretContents } from '../constructs/stage-secret.ts';
import { TableBackup } from '../constructs/table-backup.ts';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import type { StageRegion } from '../stage-region.ts';
import { publishState } from '../state-parameters.ts';

export interface StateStackProps extends StackProps {
  readonly config: StageConfig;
  readonly region: StageRegion;
}

/** What must not be lost. It changes rarely and is deployed before the service stack, which reads its parameters. */
export class StateStack extends Stack {
  constructor(scope: Construct, id: string, { config, region, ...props }: StateStackProps) {
    super(scope, id, {
      description: `Gateline (${config.stage}): table, its backups, secrets, key, event bus and alarm topics`,
      terminationProtection: config.keepData,
      ...props,
    });
    const key = new DataKey(this, 'DataKey', config);
    const table = new GatelineTable(this, 'Table', { config, key });
    const bus = new EventBus(this, 'Bus', {
      eventBusName: `gateline-${config.stage}`,
      description: 'Events of the service: orders, members, scans, webhook endpoints.',
    });
    bus.applyRemovalPolicy(removalPolicyOf(config));
    const stageSecret = (name: string, contents: StageSecretContents) =>
      new StageSecret(this, name, { config, key, region }, contents);
    const keySecret = (name: string, purpose: string, notRotated: string) =>
      stageSecret(name, {
        description: purpose,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        notRotated,
      });
    const cursors = keySecret(
      'CursorSecret',
      'seals the cursors of lists',
      'Integrators keep cursors and go on with them. A rotation would make them invalid.',
    );
    const links = keySecret(
      'LinkSecret',
      'signs the links of tickets and what Apple passes prove themselves with',
      'Fans have links in their mail and passes on their phones. `org rotate-links` ends those of an organisation.',
    );
    const webhooks = keySecret(
      'WebhookSecret',
      'encrypts the secrets of webhook endpoints',
      'The secrets of webhook endpoints are encrypted with it. A rotation would make them unreadable.',
    );
    // Earlier releases derived all keys from it. A stage that exists takes its keys from here (ADR 30).
    const former = keySecret(
      'Secret',
      'had the keys of all purposes; `secrets separate` moves them',
      'Nothing reads it once its keys are moved.',
    );
    // The operator stores the others. Every stage has them, so a stage can change its provider.
    const stripeKey = stageSecret('StripeKey', {
      description: 'secret key of the Stripe account. Set it on stages that use Stripe.',
      notRotated:
        'Stripe issues this API key, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
    const stripeWebhookSecret = stageSecret('StripeWebhookSecret', {
      description: 'signing secret of the webhook endpoint at Stripe. Set it on stages that use Stripe.',
      notRotated:
        'Stripe issues this secret, so Secrets Manager cannot rotate it. An operator rolls it at Stripe and stores the new value here.',
    });
    const appleWallet = stageSecret('AppleWallet', {
      description: 'certificate and private key that sign Apple passes. `npm run admin -- wallet apple` stores them.',
      notRotated:
        'Apple issues the certificate for a year. An operator renews it, and an alarm asks for it 60 days before.',
    });
    const googleWallet = stageSecret('GoogleWallet', {
      description: 'key of the service account that signs Google passes. `npm run admin -- wallet google` stores it.',
      notRotated: 'Google issues the key. An operator makes another one there and stores it here.',
    });
    const own = [former, cursors, links, webhooks, stripeKey, stripeWebhookSecret, appleWallet, googleWallet];
    new OperatorPolicies(this, 'Operators', {
      stage: config.stage,
      tableArn: tableInUse(config, table),
      secretArns: own.map(({ secretArn }) => secretArn),
    });
    const topics = {
      page: new AlarmTopic(this, 'AlarmTopic', { config, urgency: 'page' }),
      ticket: new AlarmTopic(this, 'TicketTopic', { config, urgency: 'ticket' }),
    };
    if (config.backupCopyRegion !== undefined) {
      const alarms = new Alarms(this, 'Alarms', { stage: config.stage, topics });
      new TableBackup(this, 'Backup', { config, key, table, copyRegion: region.copies, alarms });
    }
    if (config.monthlyBudgetUsd !== undefined)
      new MonthlyBudget(this, 'Budget', { usd: config.monthlyBudgetUsd, topic: topics.ticket });

    publishState(this, config.stage, {
      TableName: table.tableName,
      TableStreamArn: table.tableStreamArn ?? '',
      BusName: bus.eventBusName,
      SecretArn: former.secretArn,
      CursorSecretArn: cursors.secretArn,
      LinkSecretArn: links.secretArn,
      WebhookSecretArn: webhooks.secretArn,
      StripeKeyArn: stripeKey.secretArn,
      StripeWebhookSecretArn: stripeWebhookSecret.secretArn,
      AppleWalletArn: appleWallet.secretArn,
      GoogleWalletArn: googleWallet.secretArn,
      AlarmTopicArn: topics.page.topicArn,
      TicketTopicArn: topics.ticket.topicArn,
    });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    // A restore encrypts with it, and so does the secret of the signing key, which is not part of the stack.
    new CfnOutput(this, 'DataKeyArn', { value: key.keyArn });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
    // `secrets separate` moves the keys from the first to the others.
    const keySecrets = { FormerSecret: former, CursorSecret: cursors, LinkSecret: links, WebhookSecret: webhooks };
    for (const [name, { secretArn }] of Object.entries(keySecrets))
      new CfnOutput(this, `${name}Arn`, { value: secretArn });
    new CfnOutput(this, 'StripeKeySecret', { value: stripeKey.secretArn });
    new CfnOutput(this, 'StripeSigningSecret', { value: stripeWebhookSecret.secretArn });
    new CfnOutput(this, 'AppleWalletSecret', { value: appleWallet.secretArn });
    new CfnOutput(this, 'GoogleWalletSecret', { value: googleWallet.secretArn });
  }
}
