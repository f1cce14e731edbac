import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IEventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { combineAccess } from '../../shared/domain/table-access.ts';
import { eventSource } from '../../shared/domain/webhooks/event-types.ts';
import type { BusQueueName } from '../../shared/workers/queues.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { PhonePace, Worker } from '../../shared/workers/worker.ts';
import type { Bundle } from '../bundle.ts';
import { concurrencyPlan, reservedConcurrency } from '../concurrency-plan.ts';
import { workerMemoryMb } from '../memory-sizes.ts';
import { publicAddress, type StageConfig } from '../stage-config.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import { GatelineFunction } from './gateline-function.ts';
import type { KeySecrets } from './key-secrets.ts';
import type { Payments } from './payments.ts';
import type { Wallets } from './wallets.ts';
import { acknowledgeNames, functionPrefix, warmStatements } from './warm-statements.ts';

export interface WorkerFunctionProps {
  readonly worker: Worker;
  readonly code: Bundle;
  readonly table: ITableV2;
  readonly bus: IEventBus;
  readonly secrets: KeySecrets;
  readonly payments: Payments;
  readonly wallets: Wallets;
  readonly queues: Readonly<Record<BusQueueName, Queue>>;
  readonly deliveries: DeliveryQueues;
  /** The failure destination of stream batches. */
  readonly failedBatches: Queue;
  readonly config: StageConfig;
}

/** The Lambda function of one worker, with its event source. */
export class WorkerFunction extends GatelineFunction {
  /** The alias that the source invokes. `npm run rollback` points it at the version of an earlier release. */
  readonly live: IFunction;

  constructor(scope: Construct, id: string, props: WorkerFunctionProps) {
    const { worker, code, table, bus, secrets, deliveries, payments, wallets, config } = props;
    const access = combineAccess(worker.effects.access);
    const receivesStripeEvents = worker.source.kind === 'route' && worker.source.provider === 'stripe';
    const { tellsPhones } = worker.effects;
    const ownQueue = tellsPhones === undefined ? undefined : queueOf(props);
    const usesTable = Object.keys(access).length > 0;
    super(scope, id, {
      description: `${worker.id}: ${worker.summary}`,
      code,
      table,
      access,
      grants: {
        ...(worker.effects.publishes && {
          Publish: [new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] })],
        }),
        ...secrets.grants(worker.effects.secrets),
        ...deliveries.grants(worker.effects.sends),
        ...(ownQueue !== undefined && {
          SendRest: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [ownQueue.queueArn] })],
        }),
        ...payments.grants(worker.effects.usesPayments),
        ...wallets.grants(worker.effects.wallets),
        ...payments.eventGrants(receivesStripeEvents),
        ...(worker.effects.warmsFunctions && config.guarded && { Warm: warmStatements(config) }),
      },
      environment: {
        ...(usesTable && { TABLE_NAME: table.tableName }),
        ...(worker.effects.publishes && { BUS_NAME: bus.eventBusName }),
        ...secrets.environment(worker.effects.secrets),
        ...deliveries.environment(worker.effects.sends),
        ...(ownQueue !== undefined && { OWN_QUEUE_URL: ownQueue.queueUrl }),
        ...(tellsPhones !== undefined && { PHONES_PER_SECOND: String(phonesPerSecond(tellsPhones, config)) }),
        ...payments.environment(worker.effects.usesPayments),
        ...wallets.environment(worker.effects.wallets),
        ...(worker.effects.namesAddress && { API_ADDRESS: publicAddress(config) }),
        ...payments.eventEnvironment(receivesStripeEvents),
        ...(worker.effects.callsApi && { CANARY: canaryOf(config) }),
        ...(worker.effects.warmsFunctions && { WARMED_FUNCTIONS: config.guarded ? functionPrefix(config) : 'none' }),
      },
      memorySize: workerMemoryMb,
      timeout: Duration.seconds(worker.runtime.timeoutSeconds),
      concurrency: worker.runtime.concurrency,
      retiredGrants: secrets.retiredGrants(worker.effects.secrets),
      config,
    });
    // The assertion: the CDK's types of the two do not agree on whether a property may be undefined.
    this.live = this.lambda.addAlias('live') as IFunction;
    this.#connect(props);
    if (worker.effects.warmsFunctions && config.guarded) acknowledgeNames(this, config);
  }

  #connect(props: WorkerFunctionProps): void {
    const { table, bus, failedBatches, config } = props;
    const { source } = props.worker;
    switch (source.kind) {
      case 'stream':
        table.grantStreamRead(this.lambda);
        failedBatches.grantSendMessages(this.lambda);
        new EventSourceMapping(this, 'Stream', {
          target: this.live,
          ...(table.tableStreamArn !== undefined && { eventSourceArn: table.tableStreamArn }),
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize: 100,
          ...(source.windowSeconds !== undefined && { maxBatchingWindow: Duration.seconds(source.windowSeconds) }),
          reportBatchItemFailures: true,
          bisectBatchOnError: true,
          ...(source.maxRetries !== undefined && { retryAttempts: source.maxRetries }),
          ...(source.parallelBatches !== undefined && { parallelizationFactor: source.parallelBatches }),
          maxRecordAge: Duration.minutes(30),
          onFailure: new SqsDlq(failedBatches),
          filters: streamFilters(source.changes),
        });
        return;
      case 'queue':
        this.live.addEventSource(
          new SqsEventSource(queueOf(props), {
            batchSize: source.batchSize,
            reportBatchItemFailures: true,
            maxConcurrency: config.guarded
              ? concurrencyPlan(config).queueWorkers(source.concurrency)
              : source.concurrency.other,
          }),
        );
        return;
      case 'schedule':
        // The next scheduled run is the retry. Lambda's own retries would triple the load when the table already has problems.
        // A run that Lambda refuses for a minute is dropped, so a shortage of concurrency leaves no pile of old runs.
        this.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
        new Rule(this, 'Schedule', {
          schedule: Schedule.rate(Duration.minutes(source.everyMinutes)),
          targets: [new LambdaFunction(this.live)],
        });
        if (source.after !== undefined) {
          new Rule(this, 'After', {
            eventBus: bus,
            eventPattern: { source: [eventSource], detailType: [...source.after] },
            targets: [new LambdaFunction(this.live)],
          });
        }
        return;
      case 'route':
        // The API has the route, and a role with which it invokes the function.
        return;
    }
  }
}

/** A mapping has five filters, so kinds with the same changes share one. */
function streamFilters(changes: Extract<Worker['source'], { kind: 'stream' }>['changes']): Record<string, unknown>[] {
  const byChanges = Map.groupBy(Object.entries(changes), ([, when]) => when.join());
  return [...byChanges.values()].map((kinds) =>
    FilterCriteria.filter({
      eventName: FilterRule.or(...(kinds[0]?.[1] ?? [])),
      dynamodb: { Keys: { pk: { S: kinds.flatMap(([kind]) => FilterRule.beginsWith(`${kind}#`)) } } },
    }),
  );
}

function queueOf({ worker: { source }, queues, deliveries }: WorkerFunctionProps): Queue {
  if (source.kind !== 'queue') throw new Error('Only a worker of a queue has a queue.');
  return { ...queues, ...deliveries.queues }[source.queue];
}

/** A phone that is told calls the route at once, so the rate follows from the reservation of the route. */
function phonesPerSecond({ perSecond, answeredBy }: PhonePace, config: StageConfig): number {
  const full = workers.find(({ id }) => id === answeredBy)?.runtime.concurrency;
  if (full === undefined) throw new Error(`${answeredBy} has no reservation.`);
  return Math.floor((perSecond * (reservedConcurrency(config, answeredBy, full) ?? full)) / full);
}

function canaryOf(config: StageConfig): string {
  if (config.domain === undefined || config.canary === undefined) return 'none';
  const pays = config.payments === 'sandbox';
  return JSON.stringify({ address: `${publicAddress(config)}/`, ...config.canary, pays });
}
