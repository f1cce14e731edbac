import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { readProperties } from '../template/properties.ts';
import { awsManagedPolicy } from './aws-managed-policies.ts';
import { checkConditions } from './evaluate.ts';
import { readPolicyDocument, type Statement } from './statement.ts';

export interface Role {
  name: string;
  arn: string;
  /** The statements of all policies of the role: inline, attached and managed. */
  statements: Statement[];
  /** The services that can assume the role. */
  trustedServices: string[];
}

const RoleProperties = v.object({
  AssumeRolePolicyDocument: v.unknown(),
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
  Policies: v.optional(v.array(v.object({ PolicyName: v.string(), PolicyDocument: v.unknown() })), []),
  PermissionsBoundary: v.optional(v.string()),
});

const PolicyProperties = v.object({ PolicyDocument: v.unknown(), Roles: v.optional(v.array(v.string()), []) });

/** Reads all roles of the template with the policies that apply to them. */
export function readRoles(template: ParsedTemplate): Role[] {
  const attached = template
    .ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .map((resource) => ({ resource, ...readProperties(resource, PolicyProperties) }));

  return template.ofType('AWS::IAM::Role').map((resource) => {
    const properties = readProperties(resource, RoleProperties);
    const { logicalId } = resource;
    if (properties.PermissionsBoundary !== undefined) {
      throw new CloudError(`The role ${logicalId} has a permissions boundary, which the local cloud does not evaluate`);
    }
    const customerManaged = new Map(
      attached
        .filter(({ resource: { type } }) => type === 'AWS::IAM::ManagedPolicy')
        .map((policy) => [policy.resource.ref, policy]),
    );
    const statements = [
      ...properties.Policies.flatMap((policy) => readPolicyDocument(policy.PolicyDocument, logicalId)),
      ...attached
        .filter((policy) => policy.Roles.includes(resource.ref))
        .flatMap((policy) => readPolicyDocument(policy.PolicyDocument, policy.resource.logicalId)),
      ...properties.ManagedPolicyArns.flatMap((arn) => {
        const policy = customerManaged.get(arn);
        if (policy !== undefined) return readPolicyDocument(policy.PolicyDocument, policy.resource.logicalId);
        return awsManagedPolicy(arn) ?? unknownManagedPolicy(arn, resource);
      }),
    ];
    checkConditions(statements, logicalId);
    return {
      name: resource.ref,
      arn: resource.attributes.Arn ?? resource.ref,
      statements,
      trustedServices: readPolicyDocument(properties.AssumeRolePolicyDocument, logicalId)
        .filter(({ effect }) => effect === 'Allow')
        .flatMap(({ services }) => services),
    };
  });
}

function unknownManagedPolicy(arn: string, role: Resource): never {
  throw new CloudError(`The local cloud does not support the managed policy ${arn} of role ${role.logicalId}`);
}
