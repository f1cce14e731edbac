import { basename } from 'node:path';
import { Annotations, CfnOutput, FileAssetPackaging, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { tableSchema } from '../../shared/data/table/schema.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations as registry } from '../../shared/operations/registry.ts';
import { warmFunctionsWorker, workers } from '../../shared/workers/registry.ts';
import { type Bundles, bundle } from '../bundle.ts';
import { concurrencyPlan } from '../concurrency-plan.ts';
import { Canary } from '../constructs/canary.ts';
import { CustomDomain } from '../constructs/custom-domain.ts';
import { DeliveryQueues } from '../constructs/delivery-queues.ts';
import { EventQueues } from '../constructs/event-queues.ts';
import { FailedBatchesQueue } from '../constructs/failed-batches-queue.ts';
import { Firewall } from '../constructs/firewall.ts';
import { GatelineApi } from '../constructs/gateline-api.ts';
import { KeySecrets } from '../constructs/key-secrets.ts';
import { alarmOnObjectives } from '../constructs/objectives.ts';
import { alarmOnPayments } from '../constructs/payment-alarms.ts';
import { Payments } from '../constructs/payments.ts';
import { alarmOnAccountConcurrency, alarmOnApi, alarmOnTable } from '../constructs/service-alarms.ts';
import { Wallets } from '../constructs/wallets.ts';
import { functionsFolder, handlerModules } from '../handlers.ts';
import { writeSourceMaps } from '../source-maps.ts';
import type { StageConfig } from '../stage-config.ts';
import { certificateOf, type StageRegion } from '../stage-region.ts';
import { readState, type StateValue } from '../state-parameters.ts';
import { MonitoringStack } from './monitoring-stack.ts';
import { OperationsStack } from './operations-stack.ts';
import { WorkersStack } from './workers-stack.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: StageConfig;
  readonly region: StageRegion;
  /** The operations, by default those of the registry, and the folders of their handlers. Tests add their own. */
  readonly operations?: readonly Operation[];
  readonly handlerRoots?: readonly string[];
  /** Whether the source maps of the release are kept with its assets. Writing them takes seconds, and most tests need none. */
  readonly keepSourceMaps?: boolean;
  /** Whether the release is deployed at once, whatever its alarms say (`npm run deploy -- --emergency`). */
  readonly isEmergency?: boolean;
}

/**
 * What can be replaced at any time: the API, the queues and the firewall, and in nested stacks the functions and the alarms.
 * Messages in queues can be lost without harm, because the sweepers send them again from the table.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    const { config, region, operations = registry, handlerRoots = [functionsFolder], ...rest } = props;
    const { keepSourceMaps = false, isEmergency = false, ...stackProps } = rest;
    super(scope, id, { description: `Gateline (${config.stage}): API, functions, queues and alarms`, ...stackProps });
    const { stage } = config;
    if (config.signingKeys.length === 0) {
      const command = `npm run admin -- signing-key create --stage ${stage}`;
      Annotations.of(this).addWarningV2(
        'gateline:signing-key',
        `${stage} has no signing key, so it accepts no API key. Before you deploy, run: ${command}`,
      );
    }

    const state = (name: StateValue): string => readState(this, stage, name);
    const table = TableV2.fromTableAttributes(this, 'Table', {
      tableName: config.restoredTable?.tableName ?? state('TableName'),
      tableStreamArn: config.restoredTable?.streamArn ?? state('TableStreamArn'),
      globalIndexes: tableSchema.indexes.map(({ name }) => name),
    });
    const alarmTopics = {
      page: Topic.fromTopicArn(this, 'AlarmTopic', state('AlarmTopicArn')),
      ticket: Topic.fromTopicArn(this, 'TicketTopic', state('TicketTopicArn')),
    };
    const bus = EventBus.fromEventBusName(this, 'Bus', state('BusName'));
    const stripe =
      config.payments === 'stripe'
        ? { keyArn: state('StripeKeyArn'), webhookSecretArn: state('StripeWebhookSecretArn') }
        : undefined;
    const payments = new Payments(stripe, config.stripePublishableKey);
    const secrets = new KeySecrets({
      cursors: state('CursorSecretArn'),
      links: state('LinkSecretArn'),
      webhooks: state('WebhookSecretArn'),
      former: config.formerSecret === 'read' ? state('SecretArn') : undefined,
    });
    const wallets = new Wallets({ apple: state('AppleWalletArn'), google: state('GoogleWalletArn') });

    const monitoring = new MonitoringStack(this, 'Monitoring', { stage, topics: alarmTopics });
    const { alarms } = monitoring;
    const { queues } = new EventQueues(this, 'Events', { bus, alarms });
    const deliveries = new DeliveryQueues(this, 'Deliveries', alarms);
    const failedBatches = new FailedBatchesQueue(this, 'FailedBatches', alarms);

    const bundles = bundle(handlerModules(operations), handlerRoots, { withSourceMaps: keepSourceMaps });
    if (keepSourceMaps) keepWithAssets(this, bundles);
    const { codeOf } = bundles;
    const shared = { table, secrets, deliveries, payments, wallets, config, codeOf };
    const workerProps = { ...shared, bus, queues, failedBatches, alarms };
    const warming = new WorkersStack(this, 'Warming', { ...workerProps, workers: [warmFunctionsWorker] });
    // A stack of its own, so the others wait for this function only.
    const warmerArn = config.guarded ? warming.functionArns[0] : undefined;
    const operationRoutes = [...byTag(operations)].flatMap(
      ([tag, tagged]) =>
        new OperationsStack(this, nestedStackId(tag), {
          ...shared,
          tag,
          operations: tagged,
          alarmTopics,
          isEmergency,
          warmerArn,
        }).routes,
    );
    const others = workers.filter((worker) => worker !== warmFunctionsWorker);
    const workersStack = new WorkersStack(this, 'Workers', { ...workerProps, workers: others, warmerArn });
    const api = new GatelineApi(this, 'Api', { config, routes: [...operationRoutes, ...workersStack.routes] });

    // Ends in a slash, as the address of API Gateway does.
    const address = config.domain === undefined ? api.url : `https://${config.domain.name}/`;

    alarmOnApi(alarms, api);
    alarmOnTable(alarms, table);
    alarmOnPayments(alarms);
    if (config.guarded) {
      new Firewall(this, 'Firewall', { api, alarms, cdn: config.cdn });
      new Canary(this, 'Canary', { address, alarms });
      alarmOnAccountConcurrency(alarms, config);
      alarmOnObjectives(alarms, api, operations);
    }
    if (config.domain !== undefined) {
      const certificateArn = certificateOf(config, region);
      new CustomDomain(this, 'Domain', { api, domain: config.domain, certificateArn, isActive: !region.isRecovery });
    }
    const dashboard = monitoring.addDashboard({
      stage,
      api,
      operations,
      table,
      queues: { ...queues, ...deliveries.queues },
    });

    new CfnOutput(this, 'ApiAddress', { value: address });
    // The CLI signs only with a key that the deployed functions know.
    new CfnOutput(this, 'SigningKeys', { value: config.signingKeys.join(',') || 'none' });
    // `secrets separate` changes nothing unless the functions read both.
    if (config.formerSecret === 'read') new CfnOutput(this, 'FormerSecret', { value: config.formerSecret });
    if (config.guarded) {
      // What `storefront sale` divides, and what it sets back.
      new CfnOutput(this, 'SaleConcurrency', { value: JSON.stringify(concurrencyPlan(config).sale) });
    }
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
  }
}

/**
 * Uploads the source maps with the code of the functions, to the same bucket. They are in no template: a function does not need
 * them, and `npm run stack` finds them by the release.
 */
function keepWithAssets(stack: Stack, bundles: Bundles): void {
  const file = writeSourceMaps(bundles, Stage.of(stack)?.outdir ?? '');
  stack.synthesizer.addFileAsset({
    fileName: basename(file),
    // With the file's extension it is the key of the object.
    sourceHash: basename(file, '.gz'),
    packaging: FileAssetPackaging.FILE,
    displayName: 'Source maps',
  });
}

/**
 * A nested stack per tag: a new operation joins the stack of its tag and moves no other. A function that moves to another stack
 * is replaced, so the rule must not depend on the number of operations.
 */
function byTag(operations: readonly Operation[]): ReadonlyMap<string, Operation[]> {
  return Map.groupBy(operations, ({ resource }) => resource);
}

/** `rate-limit` becomes `RateLimitOperations`. */
function nestedStackId(tag: string): string {
  const words = tag.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Operations`;
}
