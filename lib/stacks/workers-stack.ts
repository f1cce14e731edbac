import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { workers } from '../../shared/workers/registry.ts';
import type { Bundles } from '../bundle.ts';
import type { Alarms } from '../constructs/alarms.ts';
import { alarmOnWorker } from '../constructs/service-alarms.ts';
import { WorkerFunction, type WorkerFunctionProps } from '../constructs/worker-function.ts';
import { nameNestedStack } from './nested-stack-name.ts';

export interface WorkersStackProps extends Omit<WorkerFunctionProps, 'worker' | 'code'> {
  readonly codeOf: Bundles['codeOf'];
  /** The alarms of the monitoring stack. */
  readonly alarms: Alarms;
}

/** The functions that no client calls, each with its event source. */
export class WorkersStack extends NestedStack {
  constructor(scope: Construct, id: string, { codeOf, alarms, ...shared }: WorkersStackProps) {
    super(scope, id, { description: `Gateline (${shared.config.stage}): functions of the workers` });
    nameNestedStack(this, id);
    for (const worker of workers) {
      const { lambda } = new WorkerFunction(this, worker.id, { worker, code: codeOf(worker.module), ...shared });
      alarmOnWorker(alarms, worker, lambda);
    }
  }
}
