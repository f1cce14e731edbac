import * as v from 'valibot';
import { CloudError } from '../cloud/cloud-error.ts';
import type { Resource } from './parsed-template.ts';

/** CloudFormation takes `"30"` where it means 30. */
export const Numeric = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]);

/** CloudFormation takes `"true"` where it means true. */
export const Flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
]);

/** Reads a resource's properties with a schema, and says which property of which resource is not understood. */
export function readProperties<Schema extends v.GenericSchema>(
  resource: Resource,
  schema: Schema,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, resource.properties);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new CloudError(
    `The one-machine cloud does not understand property ${v.getDotPath(issue) ?? ''} of ${resource.logicalId} (${resource.type}): ${issue.message}`,
  );
}
