import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { GatelineStack, type GatelineStackProps } from './gateline-stack.ts';

/** The CLI reads these by itself; without them the template would not be the one that is deployed. */
const { context } = v.parse(
  v.object({ context: v.record(v.string(), v.unknown()) }),
  JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')),
);

/** Synthesizes one stack into a folder, in this process: no CDK CLI, no network, no credentials. */
export function synthesize(outdir: string, props: GatelineStackProps): { assemblyDir: string; stackName: string } {
  // The CLI validates what is deployed; here it would take longer than everything else together.
  const app = new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new GatelineStack(app, `Gateline-${props.config.stage}`, props);
  app.synth();
  return { assemblyDir: outdir, stackName: stack.stackName };
}
