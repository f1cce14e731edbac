import type { App } from 'aws-cdk-lib';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';
import { StateStack, type StateStackProps } from './state-stack.ts';

/** Adds the stacks of a stage. The state stack is deployed first and destroyed last. */
export function addStacks(
  app: App,
  { deployRegion, ...props }: ServiceStackProps & Pick<StateStackProps, 'deployRegion'>,
): void {
  const { stage } = props.config;
  // CloudFormation gives the tags of a stack to all of its resources and to its nested stacks.
  const tags = { application: 'gateline', stage };
  const state = new StateStack(app, `Gateline-${stage}-state`, { config: props.config, deployRegion, tags });
  new ServiceStack(app, `Gateline-${stage}-service`, { ...props, tags }).addStackDependency(state);
}
