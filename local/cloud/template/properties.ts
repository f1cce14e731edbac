import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { Resource } from './parsed-template.ts';

/** CloudFormation accepts `"30"` for 30. */
export const Numeric = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]);

/** CloudFormation accepts `"true"` for true. */
export const Flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
]);

/** Parses the properties of a resource. An error contains the resource and the unsupported property. */
export function readProperties<Schema extends v.GenericSchema>(
  resource: Resource,
  schema: Schema,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, resource.properties);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new CloudError(
    `The local cloud does not support property ${v.getDotPath(issue) ?? ''} of ${resource.logicalId} (${resource.type}): ${issue.message}`,
  );
}
