import { App } from 'aws-cdk-lib';
import { GatelineStack } from '../lib/gateline-stack.ts';
import { stageConfig } from '../lib/stage-config.ts';

/** The CDK app. The stage comes from the context: `cdk deploy -c stage=prod`. */
const app = new App({ analyticsReporting: false });
const config = stageConfig(String(app.node.tryGetContext('stage') ?? 'dev'));

new GatelineStack(app, `Gateline-${config.stage}`, { config });
