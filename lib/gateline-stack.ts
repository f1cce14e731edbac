import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { handlerModule, type Operation } from '../shared/operations/operation.ts';
import { operations as registry } from '../shared/operations/registry.ts';
import { workers } from '../shared/workers/registry.ts';
import { bundle } from './bundle.ts';
import { Alarms } from './constructs/alarms.ts';
import { CustomDomain } from './constructs/custom-domain.ts';
import { DeliveryQueues } from './constructs/delivery-queues.ts';
import { EventQueues } from './constructs/event-queues.ts';
import { FailedBatchesQueue } from './constructs/failed-batches-queue.ts';
import { Firewall } from './constructs/firewall.ts';
import { GatelineApi } from './constructs/gateline-api.ts';
import { GatelineSecret } from './constructs/gateline-secret.ts';
import { GatelineTable } from './constructs/gateline-table.ts';
import { GradualRelease } from './constructs/gradual-release.ts';
import { OperationFunction } from './constructs/operation-function.ts';
import { Payments } from './constructs/payments.ts';
import { alarmOnApi, alarmOnPayments, alarmOnTable, alarmOnWorker } from './constructs/service-alarms.ts';
import { ServiceDashboard } from './constructs/service-dashboard.ts';
import { WorkerFunction } from './constructs/worker-function.ts';
import { functionsFolder, handlerModules } from './handlers.ts';
import type { StageConfig } from './stage-config.ts';

export interface GatelineStackProps extends StackProps {
  readonly config: StageConfig;
  /** The operations, by default those of the registry, and the folders of their handlers. Tests add their own. */
  readonly operations?: readonly Operation[];
  readonly handlerRoots?: readonly string[];
}

export class GatelineStack extends Stack {
  constructor(scope: Construct, id: string, props: GatelineStackProps) {
    super(scope, id, props);
    const { config, operations = registry, handlerRoots = [functionsFolder] } = props;

    if (config.signingKeys.length === 0) {
      const command = `npm run admin -- signing-key create --stage ${config.stage}`;
      Annotations.of(this).addWarningV2(
        'gateline:signing-key',
        `${config.stage} has no signing key, so it accepts no API key. Before you deploy, run: ${command}`,
      );
    }
    const table = new GatelineTable(this, 'Table', config);
    const bus = new EventBus(this, 'Bus', {
      description: 'Events of the service: orders, members, scans, webhook endpoints.',
    });
    const secret = new GatelineSecret(this, 'Secret', config);
    const payments = new Payments(this, 'Payments', config);
    const api = new GatelineApi(this, 'Api', config);

    const alarms = new Alarms(this, 'Alarms', config);
    const { queues } = new EventQueues(this, 'Events', { bus, alarms });
    const deliveries = new DeliveryQueues(this, 'Deliveries', alarms);
    const failedBatches = new FailedBatchesQueue(this, 'FailedBatches', alarms);

    const codeOf = bundle(handlerModules(operations), handlerRoots);
    for (const operation of operations) {
      const code = codeOf(handlerModule(operation));
      const { lambda } = new OperationFunction(this, operation.id, {
        operation,
        code,
        table,
        secret,
        deliveries,
        payments,
        config,
      });
      const isGradual = config.guarded && operation.runtime.releasedGradually;
      api.serve(
        operation,
        isGradual ? new GradualRelease(this, `${operation.id}-release`, { operation, lambda, alarms }).alias : lambda,
      );
    }
    for (const worker of workers) {
      const code = codeOf(worker.module);
      const { lambda } = new WorkerFunction(this, worker.id, {
        worker,
        code,
        table,
        bus,
        secret,
        queues,
        deliveries,
        payments,
        failedBatches,
        config,
      });
      alarmOnWorker(alarms, worker, lambda);
    }

    alarmOnApi(alarms, api);
    alarmOnTable(alarms, table);
    alarmOnPayments(alarms);
    if (config.guarded) new Firewall(this, 'Firewall', api);
    if (config.domain !== undefined) new CustomDomain(this, 'Domain', { api, domain: config.domain });
    const dashboard = new ServiceDashboard(this, 'Dashboard', {
      api,
      table,
      queues: { ...queues, ...deliveries.queues },
    });

    new CfnOutput(this, 'ApiAddress', { value: api.url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    // The CLI signs only with a key that the deployed functions know.
    new CfnOutput(this, 'SigningKeys', { value: config.signingKeys.join(',') || 'none' });
    new CfnOutput(this, 'DashboardName', { value: dashboard.dashboardName });
    new CfnOutput(this, 'StripeKeySecret', { value: payments.stripeKey.secretArn });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
  }
}
