import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Deployment = v.object({
  /** The address of the API, without a slash at its end. */
  url: v.string(),
  /** The host name by which the service finds the API, if it is not the one of the address. */
  host: v.optional(v.string()),
  table: v.string(),
  /** The private key that signs API keys. */
  signing_key: v.string(),
});

/**
 * A deployment that exists already. The contract tests of the registry use it instead of the local cloud if GATELINE_DEPLOYMENT
 * has the path of a file that describes it. Endpoint, region and credentials of AWS come from the usual variables.
 */
export const deployment = readDeployment(process.env.GATELINE_DEPLOYMENT);

function readDeployment(file: string | undefined): v.InferOutput<typeof Deployment> | undefined {
  return file === undefined ? undefined : v.parse(Deployment, JSON.parse(readFileSync(file, 'utf8')));
}
