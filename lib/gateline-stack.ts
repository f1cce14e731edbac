import { fileURLToPath } from 'node:url';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import type { Operation } from '../shared/operations/operation.ts';
import { operations as registry } from '../shared/operations/registry.ts';
import { bundle } from './bundle.ts';
import { GatelineApi } from './constructs/gateline-api.ts';
import { GatelineSecret } from './constructs/gateline-secret.ts';
import { GatelineTable } from './constructs/gateline-table.ts';
import { OperationFunction } from './constructs/operation-function.ts';
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

    const bundles = bundle(operations, handlerRoots);
    for (const operation of operations) {
      const code = bundles.directoryOf(operation);
      const { lambda } = new OperationFunction(this, operation.id, { operation, code, table, secret, config });
      api.serve(operation, lambda);
    }
    bundles.discard();

    new CfnOutput(this, 'ApiAddress', { value: api.url });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
  }
}
