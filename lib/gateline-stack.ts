import { fileURLToPath } from 'node:url';
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { handlerModule, type Operation } from '../shared/operations/operation.ts';
import { operations as registry } from '../shared/operations/registry.ts';
import { workers } from '../shared/workers/registry.ts';
import { bundle } from './bundle.ts';
import { Alarms } from './constructs/alarms.ts';
import { EventQueues } from './constructs/event-queues.ts';
import { GatelineApi } from './constructs/gateline-api.ts';
import { GatelineSecret } from './constructs/gateline-secret.ts';
import { GatelineTable } from './constructs/gateline-table.ts';
import { OperationFunction } from './constructs/operation-function.ts';
import { WorkerFunction } from './constructs/worker-function.ts';
import type { StageConfig } from './stage-config.ts';

const functionsFolder = fileURLToPath(new URL('../functions', import.meta.url));

export interface GatelineStackProps extends StackProps {
  readonly config: StageConfig;
  /** The registry, unless a test adds operations of its own, with the folders that hold their handlers. */
  readonly operations?: readonly Operation[];
  readonly handlerRoots?: readonly string[];
}

export class GatelineStack extends Stack {
  constructor(scope: Construct, id: string, props: GatelineStackProps) {
    super(scope, id, props);
    const { config, operations = registry, handlerRoots = [functionsFolder] } = props;

    const table = new GatelineTable(this, 'Table', config);
    const bus = new EventBus(this, 'Bus', { description: 'What happened: sales, members, scans.' });
    const secret = new GatelineSecret(this, 'Secret', config);
    const api = new GatelineApi(this, 'Api', config);

    const alarms = new Alarms(this, 'Alarms');
    const { queues } = new EventQueues(this, 'Events', { bus, alarms });
    const undone = new Queue(this, 'Undone', { retentionPeriod: Duration.days(14), enforceSSL: true });
    alarms.onUndone('undone', undone);

    const bundles = bundle([...operations.map(handlerModule), ...workers.map(({ module }) => module)], handlerRoots);
    for (const operation of operations) {
      const code = bundles.directoryOf(handlerModule(operation));
      const { lambda } = new OperationFunction(this, operation.id, { operation, code, table, secret, config });
      api.serve(operation, lambda);
    }
    for (const worker of workers) {
      const code = bundles.directoryOf(worker.module);
      new WorkerFunction(this, worker.id, { worker, code, table, bus, queues, undone, config });
    }
    bundles.discard();

    new CfnOutput(this, 'ApiAddress', { value: api.url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
  }
}
