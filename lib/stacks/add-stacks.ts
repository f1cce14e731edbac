import type { App } from 'aws-cdk-lib';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';
import { StateStack } from './state-stack.ts';

/** Adds the stacks of a stage. The state stack is deployed first and destroyed last. */
export function addStacks(app: App, props: ServiceStackProps): void {
  const { stage } = props.config;
  const state = new StateStack(app, `Gateline-${stage}-state`, { config: props.config });
  new ServiceStack(app, `Gateline-${stage}-service`, props).addStackDependency(state);
}
