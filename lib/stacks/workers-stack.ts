import { NestedStack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { isDeployedWith, type Worker } from '../../shared/workers/worker.ts';
import type { Bundles } from '../bundle.ts';
import type { Alarms } from '../constructs/alarms.ts';
import type { ServedRoute } from '../constructs/api-definition.ts';
import { alarmOnReservedConcurrency, alarmOnWorker } from '../constructs/service-alarms.ts';
import { WarmedRelease } from '../constructs/warmed-release.ts';
import { WorkerFunction, type WorkerFunctionProps } from '../constructs/worker-function.ts';
import { nameNestedStack } from './nested-stack-name.ts';

export interface WorkersStackProps extends Omit<WorkerFunctionProps, 'worker' | 'code'> {
  readonly codeOf: Bundles['codeOf'];
  readonly workers: readonly Worker[];
  /** The function that warms a release; undefined for none. */
  readonly warmerArn?: string | undefined;
  /** The alarms of the monitoring stack. */
  readonly alarms: Alarms;
}

/** The functions that are not operations of the API, each with its event source. */
export class WorkersStack extends NestedStack {
  /** The routes of workers that are called over HTTP. */
  readonly routes: readonly ServedRoute[];
  readonly functionArns: readonly string[];

  constructor(scope: Construct, id: string, { workers, warmerArn, codeOf, alarms, ...shared }: WorkersStackProps) {
    super(scope, id, { description: `Gateline (${shared.config.stage}): functions of the workers` });
    nameNestedStack(this, id);
    const deployed = workers
      .filter((worker) => isDeployedWith(worker, shared.config.payments))
      .map((worker) => {
        const { lambda, live } = new WorkerFunction(this, worker.id, {
          worker,
          code: codeOf(worker.module),
          ...shared,
        });
        alarmOnWorker(alarms, worker, lambda);
        // A schedule may use both of its two, when a run takes longer than its minute.
        if (shared.config.guarded && worker.source.kind === 'route')
          alarmOnReservedConcurrency(alarms, worker, lambda, shared.config);
        return { worker, lambda, live, functionArn: live.functionArn };
      });
    this.functionArns = deployed.map(({ lambda }) => lambda.functionArn);
    const routed = deployed.flatMap(({ worker: { source }, ...each }) =>
      source.kind === 'route' ? [{ source, ...each }] : [],
    );
    if (warmerArn !== undefined) new WarmedRelease(this, 'Warmed', { warmerArn, functions: routed });
    const invokeRoleArn =
      routed.length === 0 ? '' : this.#invokeRole(routed.map(({ functionArn }) => functionArn)).roleArn;
    this.routes = routed.flatMap(({ source: { methods, path, streamed = false }, functionArn }) =>
      methods.map((method) => ({ method, path, functionArn, invokeRoleArn, streamed })),
    );
  }

  /** The role with which API Gateway invokes the functions that have routes. It allows nothing else. */
  #invokeRole(functionArns: string[]): Role {
    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: functionArns });
    return new Role(this, 'InvokeRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'API Gateway invokes the functions of this stack that have routes.',
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke] }) },
    });
  }
}
