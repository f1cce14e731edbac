import { existsSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { Role } from '../iam/roles.ts';
import type { Assembly } from '../template/assembly.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';

/** A Lambda function as the template describes it. */
export interface FunctionDefinition {
  logicalId: string;
  name: string;
  description: string | undefined;
  arn: string;
  codeFolder: string;
  handler: string;
  timeoutMs: number;
  memoryMb: number;
  reservedConcurrency: number | undefined;
  variables: Readonly<Record<string, string>>;
  role: Role;
  logGroupName: string;
}

const FunctionProperties = v.object({
  Description: v.optional(v.string()),
  Code: v.looseObject({ S3Key: v.optional(v.string()) }),
  Handler: v.string('a handler is required, because only zip packages are supported'),
  Runtime: v.pipe(v.string(), v.startsWith('nodejs', 'only Node.js functions are supported')),
  Role: v.string(),
  Timeout: v.optional(Numeric, 3),
  MemorySize: v.optional(Numeric, 128),
  ReservedConcurrentExecutions: v.optional(Numeric),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.unknown()), {}) }), {
    Variables: {},
  }),
  LoggingConfig: v.optional(v.object({ LogGroup: v.optional(v.string()) })),
  DeadLetterConfig: v.optional(v.never('dead-letter queues of functions are not supported')),
  Layers: v.optional(v.pipe(v.array(v.string()), v.maxLength(0, 'layers are not supported'))),
});

export function readFunctions(
  template: ParsedTemplate,
  assembly: Assembly,
  roles: readonly Role[],
): FunctionDefinition[] {
  return template.ofType('AWS::Lambda::Function').map((resource) => {
    const properties = readProperties(resource, FunctionProperties);
    const role = roles.find(({ arn }) => arn === properties.Role);
    if (role === undefined) throw new CloudError(`The role of function ${resource.logicalId} is not in the template`);
    return {
      logicalId: resource.logicalId,
      name: resource.ref,
      description: properties.Description,
      arn: resource.attributes.Arn ?? resource.ref,
      codeFolder: codeFolder(resource, properties.Code.S3Key, assembly),
      handler: properties.Handler,
      timeoutMs: properties.Timeout * 1000,
      memoryMb: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      variables: readVariables(resource, properties.Environment.Variables),
      role,
      logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.ref}`,
    };
  });
}

/** The template refers to an asset by the hash in its S3 key. */
function codeFolder(resource: Resource, s3Key: string | undefined, assembly: Assembly): string {
  if (s3Key === undefined) throw new CloudError(`The code of function ${resource.logicalId} is not an asset`);
  const folder = assembly.assetFolder(
    s3Key
      .replace(/\.[^.]+$/, '')
      .split('/')
      .at(-1) ?? s3Key,
  );
  if (folder === undefined || !existsSync(folder)) {
    throw new CloudError(`The code of function ${resource.logicalId} is missing: ${folder ?? `asset ${s3Key}`}`);
  }
  if (!statSync(folder).isDirectory()) {
    throw new CloudError(`The code of function ${resource.logicalId} is not a folder: ${folder}`);
  }
  return folder;
}

function readVariables(resource: Resource, variables: Record<string, unknown>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value === 'object' || value === undefined) {
      throw new CloudError(`The variable ${name} of function ${resource.logicalId} has no value`);
    }
    read[name] = String(value);
  }
  return read;
}

/** Finds a function by its name or its ARN. Both may end in a version or an alias. */
export function findFunction(
  functions: readonly FunctionDefinition[],
  reference: string,
): FunctionDefinition | undefined {
  const [name] = (reference.split(':function:')[1] ?? reference).split(':');
  return functions.find((definition) => definition.name === name);
}
