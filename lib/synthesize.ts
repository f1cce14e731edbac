import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { addStacks, type StacksProps } from './stacks/add-stacks.ts';

/** The CDK CLI reads the context from cdk.json. Without it, the template would differ from the deployed one. */
const { context } = v.parse(
  v.object({ context: v.record(v.string(), v.unknown()) }),
  JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')),
);

/** Synthesizes the stacks of a stage into a folder, in this process, without the CDK CLI, network or credentials. */
export function synthesize(outdir: string, props: StacksProps): { assemblyDir: string } {
  // The CLI validates the deployed template. Validation here would take longer than everything else together.
  const app = new App({ outdir, context, analyticsReporting: false, builtinCloudFormationValidation: false });
  addStacks(app, props);
  app.synth();
  return { assemblyDir: outdir };
}
