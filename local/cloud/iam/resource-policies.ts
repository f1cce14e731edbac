import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { readProperties } from '../template/properties.ts';
import { type Condition, readPolicyDocument, type Statement } from './statement.ts';
import { matchesWildcard } from './wildcard.ts';

/** An action of an AWS service on a resource, on behalf of another resource. */
export interface ServiceRequest {
  service: string;
  action: string;
  resource: string;
  sourceArn: string;
}

export type ResourcePolicies = (request: ServiceRequest) => boolean;

const PermissionProperties = v.object({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string()),
});

const QueuePolicyProperties = v.object({ PolicyDocument: v.unknown(), Queues: v.array(v.string()) });

/** The resource-based policies: Lambda permissions and queue policies. */
export function readResourcePolicies(template: ParsedTemplate): ResourcePolicies {
  const statements = [...permissionStatements(template), ...queueStatements(template)];
  return (request) => {
    const applying = statements.filter((statement) => applies(statement, request));
    return applying.length > 0 && applying.every(({ effect }) => effect === 'Allow');
  };
}

function permissionStatements(template: ParsedTemplate): Statement[] {
  return template.ofType('AWS::Lambda::Permission').map((resource) => {
    const { Action, FunctionName, Principal, SourceArn } = readProperties(resource, PermissionProperties);
    return {
      effect: 'Allow',
      actions: [Action],
      resources: [FunctionName.startsWith('arn:') ? FunctionName : functionArn(template, FunctionName)],
      services: [Principal],
      conditions: SourceArn === undefined ? [] : [{ operator: 'ArnLike', key: 'aws:SourceArn', values: [SourceArn] }],
    };
  });
}

function functionArn(template: ParsedTemplate, name: string): string {
  return template.ofType('AWS::Lambda::Function').find(({ ref }) => ref === name)?.attributes.Arn ?? name;
}

/** A statement applies only to the queues of its policy. */
function queueStatements(template: ParsedTemplate): Statement[] {
  return template.ofType('AWS::SQS::QueuePolicy').flatMap((resource) => {
    const { PolicyDocument, Queues } = readProperties(resource, QueuePolicyProperties);
    const attachedTo = template
      .ofType('AWS::SQS::Queue')
      .filter(({ ref }) => Queues.includes(ref))
      .map(({ attributes }) => attributes.Arn ?? '');
    return readPolicyDocument(PolicyDocument, resource.logicalId).map((statement) => {
      for (const condition of statement.conditions) check(condition, resource.logicalId);
      const resources = attachedTo.filter((arn) =>
        statement.resources.some((pattern) => matchesWildcard(pattern, arn)),
      );
      return { ...statement, resources };
    });
  });
}

function applies(statement: Statement, { service, action, resource, sourceArn }: ServiceRequest): boolean {
  return (
    statement.services.some((allowed) => allowed === '*' || allowed === service) &&
    statement.actions.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase())) &&
    statement.resources.includes(resource) &&
    statement.conditions.every((condition) => holds(condition, sourceArn))
  );
}

const sourceArnOperators = ['ArnEquals', 'ArnLike', 'StringEquals', 'StringLike'];

function holds({ key, values }: Condition, sourceArn: string): boolean {
  switch (key) {
    case 'aws:SourceArn':
      return values.some((pattern) => matchesWildcard(pattern, sourceArn));
    case 'aws:SourceAccount':
      return values.includes(sourceArn.split(':')[4] ?? '');
    default:
      // AWS services always use TLS, so a condition that SecureTransport is false is never true.
      return values.includes('true');
  }
}

function check({ operator, key }: Condition, where: string): void {
  const known =
    (['aws:SourceArn', 'aws:SourceAccount'].includes(key) && sourceArnOperators.includes(operator)) ||
    (key === 'aws:SecureTransport' && operator === 'Bool');
  if (!known) throw new CloudError(`The local cloud does not support the condition ${operator} on ${key} in ${where}`);
}
