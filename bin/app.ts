import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { GatelineStack } from '../lib/gateline-stack.ts';
import { stageConfig } from '../lib/stage-config.ts';

/** The CDK app. The stage comes from the context: `cdk deploy -c stage=prod`. */
const app = new App({ analyticsReporting: false });
const config = stageConfig(String(app.node.tryGetContext('stage') ?? 'dev'));

new GatelineStack(app, `Gateline-${config.stage}`, { config });
// What AWS advises against fails here, unless it is acknowledged where it is done, with the reason.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
