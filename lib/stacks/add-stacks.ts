import type { App } from 'aws-cdk-lib';
import { stageRegion } from '../stage-region.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';
import { StateStack } from './state-stack.ts';

export interface StacksProps extends Omit<ServiceStackProps, 'region'> {
  /** The region of the deployment. The template hardly depends on it, so only the CDK CLI has to know it. */
  readonly deployRegion?: string | undefined;
}

/** Adds the stacks of a stage. The state stack is deployed first and destroyed last. */
export function addStacks(app: App, { deployRegion, ...props }: StacksProps): void {
  const { config } = props;
  const { stage } = config;
  const region = stageRegion(config, deployRegion);
  // CloudFormation gives the tags of a stack to all of its resources and to its nested stacks.
  const tags = { application: 'gateline', stage };
  const state = new StateStack(app, `Gateline-${stage}-state`, { config, region, tags });
  new ServiceStack(app, `Gateline-${stage}-service`, { ...props, region, tags }).addStackDependency(state);
}
