import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnStage, HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { openIndex } from './store/dynamo-store.ts';

export interface MailerProps {
  /** The variables of README.md: API_URL, SHOP_URL and MAIL_FROM, and those that may be left out. */
  readonly variables: Readonly<Record<string, string>>;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** The mailer in an account of its own: API Gateway, one function, one table, one queue, and what reports bounces. */
export class MailerStack extends Stack {
  constructor(scope: Construct, id: string, { variables }: MailerProps) {
    super(scope, id);
    const table = new TableV2(this, 'Mails', {
      partitionKey: { name: 'name', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      globalSecondaryIndexes: [
        {
          indexName: openIndex,
          partitionKey: { name: 'list', type: AttributeType.STRING },
          sortKey: { name: 'due', type: AttributeType.NUMBER },
        },
      ],
      timeToLiveAttribute: 'expires',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const failed = new Queue(this, 'Failed', { retentionPeriod: Duration.days(14), enforceSSL: true });
    const queue = new Queue(this, 'Queue', {
      visibilityTimeout: Duration.minutes(16),
      enforceSSL: true,
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    // {"apiKey":"gl_live_…","webhookSecrets":["whsec_…"]}: Gateline issues both, so nothing here can rotate them.
    const secret = new Secret(this, 'Secret', { description: 'API key and webhook secrets of Gateline' });
    // Of the hashes of addresses. Another one would forget which mails were sent and which addresses bounced, so it stays with the table.
    const addressKey = new Secret(this, 'AddressKey', {
      description: 'Key of the hashes of addresses in the table of mails',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const topic = new Topic(this, 'Reports', { enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'AWS:SourceAccount': this.account } },
      }),
    );
    const configurationSet = new ConfigurationSet(this, 'Mail', { reputationMetrics: true });
    configurationSet.addEventDestination('Reports', {
      destination: EventDestination.snsTopic(topic),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });

    const lambda = new Lambda(this, 'Mailer', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'lambda.handler',
      code: Code.fromAsset(bundled()),
      memorySize: 512,
      timeout: Duration.minutes(15),
      logGroup: new LogGroup(this, 'Log', { retention: RetentionDays.ONE_MONTH }),
      environment: {
        ...variables,
        MAIL_TABLE: table.tableName,
        MAIL_QUEUE: queue.queueUrl,
        MAIL_SECRET: secret.secretArn,
        MAIL_ADDRESS_KEY: addressKey.secretArn,
        SES_CONFIGURATION_SET: configurationSet.configurationSetName,
        SNS_TOPIC_ARN: topic.topicArn,
      },
    });
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resources: [table.tableArn] }),
    );
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${table.tableArn}/index/${openIndex}`] }),
    );
    queue.grantSendMessages(lambda);
    secret.grantRead(lambda);
    addressKey.grantRead(lambda);
    const identities = this.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
    const set = this.formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: configurationSet.configurationSetName,
    });
    lambda.addToRolePolicy(new PolicyStatement({ actions: ['ses:SendEmail'], resources: [identities, set] }));
    // Two at once, the fewest that SQS allows: each has half of the rate.
    lambda.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency: 2 }));
    for (const [name, schedule] of [
      ['sweep', Schedule.rate(Duration.minutes(10))],
      ['remind', Schedule.cron({ hour: '8', minute: '0' })],
    ] as const) {
      const event = RuleTargetInput.fromObject({ schedule: name });
      new Rule(this, name, { schedule, targets: [new LambdaFunction(lambda, { event })] });
    }

    const api = new HttpApi(this, 'Api');
    const integration = new HttpLambdaIntegration('Mailer', lambda);
    for (const path of ['/webhooks', '/sns']) api.addRoutes({ path, methods: [HttpMethod.POST], integration });
    const stage = api.defaultStage?.node.defaultChild;
    if (stage instanceof CfnStage) stage.defaultRouteSettings = { throttlingBurstLimit: 100, throttlingRateLimit: 100 };
    topic.addSubscription(new UrlSubscription(`${api.apiEndpoint}/sns`, { protocol: SubscriptionProtocol.HTTPS }));
    this.exportValue(`${api.apiEndpoint}/webhooks`, { name: `${id}Webhooks` });

    acknowledge(this, secret, addressKey);
  }
}

function acknowledge(stack: Stack, secret: Secret, addressKey: Secret): void {
  const unsigned = 'Webhooks and SNS messages are verified by their signatures; nothing else is answered.';
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: 'Gateline issues what is in it.' });
  Validations.of(addressKey).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'Hashes of another key would not be found.',
  });
  Validations.of(stack).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: unsigned },
    {
      id: 'AwsSolutions-APIG1',
      reason: 'The function logs each event; access logs would add addresses of senders only.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      reason: 'Logs are written with the managed policy of Lambda.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
      reason: 'The sender is any identity that the account has verified for SES.',
    },
  );
}

/** The function and its templates in one folder. */
function bundled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mailer-'));
  buildSync({
    entryPoints: [join(here, 'lambda.ts')],
    outfile: join(folder, 'lambda.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Packages that are CommonJS ask for parts of Node with `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  cpSync(join(here, 'templates'), join(folder, 'templates'), { recursive: true });
  return folder;
}

/** `npx cdk deploy --app 'node deploy.ts'` of whoever copies this has three lines: this function and the variables. */
export function mailerApp(props: MailerProps): App {
  const app = new App();
  new MailerStack(app, 'Mailer', props);
  return app;
}
