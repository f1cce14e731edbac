import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { formatCdn } from '../../shared/http/auth/trusted-cdn.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Bundle } from '../bundle.ts';
import { answeringMemoryMb, payingMemoryMb } from '../memory-sizes.ts';
import { publicAddress, type StageConfig } from '../stage-config.ts';
import { streamingNodeOptions } from '../streaming-options.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { GatelineFunction } from './gateline-function.ts';
import type { KeySecrets } from './key-secrets.ts';
import type { Payments } from './payments.ts';
import type { Wallets } from './wallets.ts';

export interface OperationFunctionProps {
  readonly operation: Operation;
  readonly code: Bundle;
  readonly table: ITableV2;
  readonly secrets: KeySecrets;
  readonly deliveries: DeliveryQueues;
  readonly payments: Payments;
  readonly wallets: Wallets;
  readonly config: StageConfig;
}

/** A streamed response lasts as long as the client reads. */
const streamingTimeout = Duration.minutes(5);

/** The Lambda function of one operation, with the grants of its registry entry. */
export class OperationFunction extends GatelineFunction {
  /** The alias that API Gateway invokes. `npm run rollback` points it at the version of an earlier release. */
  readonly live: Alias;

  constructor(scope: Construct, id: string, props: OperationFunctionProps) {
    const { operation, code, table, secrets, deliveries, payments, wallets, config } = props;
    super(scope, id, {
      description: `${operation.id}: ${operation.summary}`,
      code,
      table,
      access: operationAccess(operation),
      grants: {
        ...secrets.grants(operation.effects.secrets),
        ...deliveries.grants(operation.effects.sends),
        ...payments.grants(operation.effects.usesPayments),
        ...wallets.grants(operation.effects.wallets),
      },
      environment: {
        TABLE_NAME: table.tableName,
        // A stage without a signing key can be deployed. It has no API keys, and its log says what to do.
        TOKEN_PUBLIC_KEYS: config.signingKeys.join(',') || 'none',
        TRUSTED_CDN: formatCdn(config.cdn),
        ...secrets.environment(operation.effects.secrets),
        ...deliveries.environment(operation.effects.sends),
        ...payments.environment(operation.effects.usesPayments),
        ...wallets.environment(operation.effects.wallets),
        ...(operation.effects.namesAddress && { API_ADDRESS: publicAddress(config) }),
        ...(operation.output.streamed && { NODE_OPTIONS: streamingNodeOptions }),
      },
      memorySize: operation.runtime.waitsForProvider ? payingMemoryMb : answeringMemoryMb,
      timeout: operation.output.streamed ? streamingTimeout : Duration.seconds(operation.runtime.timeoutSeconds),
      concurrency: operation.runtime.concurrency,
      retiredGrants: secrets.retiredGrants(operation.effects.secrets),
      config,
    });
    this.live = this.lambda.addAlias('live');
  }
}
