import type { RestApi } from '../api-gateway/routes.ts';
import { CloudError } from '../cloud-error.ts';
import type { QueueMapping, StreamMapping } from '../event-sources/mappings.ts';
import type { Rule } from '../eventbridge/rules.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import type { Schedule } from '../schedules/schedules.ts';
import { isAllowed } from './evaluate.ts';
import type { ResourcePolicies } from './resource-policies.ts';
import type { Role } from './roles.ts';

/** The connections between AWS services that involve no request of a function. */
export interface Wiring {
  api: RestApi;
  functions: readonly FunctionDefinition[];
  mappings: readonly (QueueMapping | StreamMapping)[];
  rules: readonly Rule[];
  schedules: readonly Schedule[];
  roles: readonly Role[];
  policies: ResourcePolicies;
}

/**
 * Checks the permissions of every connection between two services. On AWS, a missing permission shows as a route that returns
 * 500 or a queue that stays empty. Here, the start fails with the function and the action.
 */
export function checkWiring(wiring: Wiring): void {
  for (const definition of wiring.functions) checkTrust(definition);
  for (const mapping of wiring.mappings) checkMapping(mapping);
  checkRoutes(wiring);
  for (const rule of wiring.rules) checkRule(rule, wiring);
  for (const schedule of wiring.schedules) checkSchedule(schedule, wiring);
}

function checkTrust({ logicalId, role }: FunctionDefinition): void {
  if (!role.trustedServices.includes('lambda.amazonaws.com')) {
    throw new CloudError(
      `The function ${logicalId} cannot assume its role ${role.name}: the role does not trust lambda.amazonaws.com`,
    );
  }
}

const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const streamActions = ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream'];

function checkMapping(mapping: QueueMapping | StreamMapping): void {
  const { definition, logicalId, arn } = mapping;
  for (const action of mapping.kind === 'queue' ? queueActions : streamActions)
    checkRole(definition, action, arn, logicalId);
  if (mapping.kind === 'stream') {
    const destination = mapping.failureDestinationArn;
    if (destination !== undefined) checkRole(definition, 'sqs:SendMessage', destination, logicalId);
    return;
  }
  // Lambda rejects such a mapping, because a message would return while the function still handles it.
  if (mapping.queue.visibilityTimeoutSeconds * 1000 < definition.timeoutMs) {
    throw new CloudError(
      `The visibility timeout of ${mapping.queue.logicalId} is shorter than the timeout of function ${definition.logicalId} that reads it`,
    );
  }
}

function checkRole(definition: FunctionDefinition, action: string, resource: string, eventSource: string): void {
  if (isAllowed(definition.role.statements, { action, resource, context: {} })) return;
  throw new CloudError(
    `The function ${definition.logicalId} is not allowed ${action} on ${resource}, which its event source ${eventSource} needs`,
  );
}

function checkRoutes({ api, roles }: Wiring): void {
  for (const { method, resourcePath, definition, functionArn, roleArn } of api.routes) {
    const route = `route ${method} ${resourcePath}`;
    checkInvocation(roles, { service: 'apigateway.amazonaws.com', roleArn, functionArn, definition, source: route });
  }
}

interface Invocation {
  /** The service that assumes the role. */
  service: string;
  roleArn: string;
  /** The function, or one of its aliases. */
  functionArn: string;
  definition: FunctionDefinition;
  /** What invokes the function, for the error message. */
  source: string;
}

function checkInvocation(roles: readonly Role[], invocation: Invocation): void {
  const { service, roleArn, functionArn, definition, source } = invocation;
  const role = roles.find(({ arn }) => arn === roleArn);
  if (role === undefined) throw new CloudError(`The role of ${source} is not in the template: ${roleArn}`);
  if (!role.trustedServices.includes(service)) {
    throw new CloudError(`The role of ${source} does not trust ${service}`);
  }
  const action = 'lambda:InvokeFunction';
  if (isAllowed(role.statements, { action, resource: functionArn, context: {} })) return;
  throw new CloudError(`The role of ${source} does not allow ${action} on function ${definition.logicalId}`);
}

interface Permission {
  service: string;
  definition: FunctionDefinition;
  /** The function, or one of its aliases. */
  functionArn: string;
  sourceArn: string;
  /** What needs the permission, for the error message. */
  source: string;
}

function checkPermission(
  policies: ResourcePolicies,
  { service, definition, functionArn, sourceArn, source }: Permission,
): void {
  if (policies({ service, action: 'lambda:InvokeFunction', resource: functionArn, sourceArn })) return;
  throw new CloudError(
    `The function ${definition.logicalId} has no permission lambda:InvokeFunction for ${service}, which ${source} needs`,
  );
}

function checkRule({ logicalId, arn, targets }: Rule, { functions, policies }: Wiring): void {
  const service = 'events.amazonaws.com';
  for (const target of targets) {
    const definition = findFunction(functions, target.arn);
    if (definition !== undefined)
      checkPermission(policies, {
        service,
        definition,
        functionArn: target.arn,
        sourceArn: arn,
        source: `rule ${logicalId}`,
      });
    const queueArns = [definition === undefined ? target.arn : undefined, target.deadLetterArn];
    for (const queueArn of queueArns) {
      if (
        queueArn === undefined ||
        policies({ service, action: 'sqs:SendMessage', resource: queueArn, sourceArn: arn })
      )
        continue;
      throw new CloudError(
        `The queue ${queueArn} has no policy that allows sqs:SendMessage to ${service}, which rule ${logicalId} needs`,
      );
    }
  }
}

function checkSchedule({ logicalId, roleArn, definition }: Schedule, { roles }: Wiring): void {
  const service = 'scheduler.amazonaws.com';
  const source = `schedule ${logicalId}`;
  checkInvocation(roles, { service, roleArn, functionArn: definition.arn, definition, source });
}
