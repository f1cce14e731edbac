import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { addStacks } from '../lib/stacks/add-stacks.ts';
import { stageConfig } from '../lib/stage-config.ts';

/**
 * The CDK app. The stage comes from the context: `cdk deploy --all -c stage=prod`, and so do an emergency (`-c emergency=true`) and what
 * is raised for a sale (`-c raised='{"open-basket":400}'`).
 */
const app = new App({ analyticsReporting: false });
const raised = v.parse(v.record(v.string(), v.number()), JSON.parse(app.node.tryGetContext('raised') ?? '{}'));

addStacks(app, {
  config: stageConfig(String(app.node.tryGetContext('stage') ?? 'dev'), raised),
  keepSourceMaps: true,
  // The CDK CLI sets it to the region to which it would deploy.
  deployRegion: process.env.CDK_DEFAULT_REGION,
  isEmergency: app.node.tryGetContext('emergency') === 'true',
});
// A cdk-nag finding fails the synthesis unless it is acknowledged with a reason, next to the construct it is about.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
