import { App } from 'aws-cdk-lib';
import { GatelineStack, type GatelineStackProps } from './gateline-stack.ts';

/** Synthesizes one stack into a folder, in this process: no CDK CLI, no network, no credentials. */
export function synthesize(outdir: string, props: GatelineStackProps): { assemblyDir: string; stackName: string } {
  // The CLI validates what is deployed; here it would take longer than everything else together.
  const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new GatelineStack(app, `Gateline-${props.config.stage}`, props);
  app.synth();
  return { assemblyDir: outdir, stackName: stack.stackName };
}
