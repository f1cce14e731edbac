import { NestedStack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { handlerModule, type Operation } from '../../shared/operations/operation.ts';
import type { Bundles } from '../bundle.ts';
import { Alarms, type AlarmsProps } from '../constructs/alarms.ts';
import type { ServedRoute } from '../constructs/api-definition.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import { OperationFunction, type OperationFunctionProps } from '../constructs/operation-function.ts';
import { alarmOnReservedConcurrency } from '../constructs/service-alarms.ts';
import { WarmedRelease } from '../constructs/warmed-release.ts';
import { nameNestedStack } from './nested-stack-name.ts';

export interface OperationsStackProps extends Omit<OperationFunctionProps, 'operation' | 'code'> {
  /** The tag of the operations. */
  readonly tag: string;
  readonly operations: readonly Operation[];
  readonly codeOf: Bundles['codeOf'];
  readonly alarmTopics: AlarmsProps['topics'];
  /** Whether the release is neither gradual nor stopped by its alarms. */
  readonly isEmergency: boolean;
  /** The function that warms a release; undefined for none. */
  readonly warmerArn: string | undefined;
}

/** The functions of all operations with one tag, and the role with which API Gateway invokes them. */
export class OperationsStack extends NestedStack {
  readonly routes: readonly ServedRoute[];

  constructor(scope: Construct, id: string, props: OperationsStackProps) {
    const { tag, operations, codeOf, alarmTopics, isEmergency, warmerArn, ...shared } = props;
    super(scope, id, { description: `Gateline (${shared.config.stage}): functions of the operations ${tag}` });
    nameNestedStack(this, id);
    const alarms = new Alarms(this, 'Alarms', { stage: shared.config.stage, topics: alarmTopics });
    const targets = operations.map((operation) => {
      const code = codeOf(handlerModule(operation));
      const { lambda, live } = new OperationFunction(this, operation.id, { operation, code, ...shared });
      if (shared.config.guarded) alarmOnReservedConcurrency(alarms, operation, lambda, shared.config);
      if (shared.config.guarded && operation.runtime.releasedGradually)
        new GradualRelease(this, `${operation.id}-release`, { operation, lambda, alias: live, alarms, isEmergency });
      return { operation, lambda, live, functionArn: live.functionArn };
    });
    if (warmerArn !== undefined) new WarmedRelease(this, 'Warmed', { warmerArn, functions: targets });
    const invokeRoleArn = this.#invokeRole(targets.map(({ functionArn }) => functionArn)).roleArn;
    this.routes = targets.flatMap(({ operation: { method, paths, output, runtime }, functionArn }) => {
      const { requestsPerSecond } = runtime;
      return paths.map((path) => ({
        method,
        path,
        streamed: output.streamed,
        requestsPerSecond,
        functionArn,
        invokeRoleArn,
      }));
    });
  }

  /** One role instead of one Lambda permission per route. It allows the functions of this stack and nothing else (ADR 30). */
  #invokeRole(functionArns: string[]): Role {
    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: functionArns });
    return new Role(this, 'InvokeRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'API Gateway invokes the functions of this stack.',
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke] }) },
    });
  }
}
