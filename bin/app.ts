import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addStacks } from '../lib/stacks/add-stacks.ts';
import { stageConfig } from '../lib/stage-config.ts';

/** The CDK app. The stage comes from the context: `cdk deploy --all -c stage=prod`, and an emergency too (`-c emergency=true`). */
const app = new App({ analyticsReporting: false });

addStacks(app, {
  config: stageConfig(String(app.node.tryGetContext('stage') ?? 'dev')),
  keepSourceMaps: true,
  // The CDK CLI sets it to the region to which it would deploy.
  deployRegion: process.env.CDK_DEFAULT_REGION,
  isEmergency: app.node.tryGetContext('emergency') === 'true',
});
// A cdk-nag finding fails the synthesis unless it is acknowledged with a reason, next to the construct it is about.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
