import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { GatelineStack } from '../lib/gateline-stack.ts';
import { stageConfig } from '../lib/stage-config.ts';

/** The CDK app. The stage comes from the context: `cdk deploy -c stage=prod`. */
const app = new App({ analyticsReporting: false });
const config = stageConfig(String(app.node.tryGetContext('stage') ?? 'dev'));

new GatelineStack(app, `Gateline-${config.stage}`, { config });
// A cdk-nag finding fails the synthesis unless it is acknowledged with a reason, next to the construct it is about.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
