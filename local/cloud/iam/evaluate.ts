import { CloudError } from '../cloud-error.ts';
import type { Condition, Statement } from './statement.ts';
import { matchesWildcard } from './wildcard.ts';

/** An action on a resource that a call needs. */
export interface AccessRequest {
  action: string;
  resource: string;
  /** The values of condition keys, such as `dynamodb:LeadingKeys`. */
  context: Readonly<Record<string, readonly string[]>>;
}

export type Decision = 'allowed' | 'denied explicitly' | 'not allowed';

/** Evaluates like IAM: an explicit Deny wins, an Allow is required, and everything else is denied. */
export function decide(statements: readonly Statement[], accessRequest: AccessRequest): Decision {
  const applying = statements.filter((statement) => applies(statement, accessRequest));
  if (applying.some(({ effect }) => effect === 'Deny')) return 'denied explicitly';
  return applying.length > 0 ? 'allowed' : 'not allowed';
}

export function isAllowed(statements: readonly Statement[], accessRequest: AccessRequest): boolean {
  return decide(statements, accessRequest) === 'allowed';
}

function applies(statement: Statement, accessRequest: AccessRequest): boolean {
  return (
    // Actions are case-insensitive, resources are case-sensitive.
    statement.actions.some((action) => iamMatches(action.toLowerCase(), accessRequest.action.toLowerCase())) &&
    statement.resources.some((resource) => iamMatches(resource, accessRequest.resource)) &&
    statement.conditions.every((condition) => holds(condition, accessRequest))
  );
}

function iamMatches(pattern: string, text: string): boolean {
  return matchesWildcard(pattern, text, { questionMark: true });
}

/** `ForAllValues` is also true if the request has no such value: a Scan has no leading key. */
function holds(condition: Condition, accessRequest: AccessRequest): boolean {
  const values = accessRequest.context[condition.key] ?? [];
  switch (condition.operator) {
    case 'ForAllValues:StringEquals':
      return values.every((value) => condition.values.includes(value));
    case 'ForAllValues:StringLike':
      return values.every((value) => condition.values.some((pattern) => iamMatches(pattern, value)));
    default:
      throw unknownCondition(condition, 'a policy');
  }
}

const knownOperators = ['ForAllValues:StringEquals', 'ForAllValues:StringLike'];
const knownKeys = ['dynamodb:LeadingKeys'];

/** Rejects at the start conditions that `holds` could not evaluate later. */
export function checkConditions(statements: readonly Statement[], where: string): void {
  for (const condition of statements.flatMap((statement) => statement.conditions)) {
    if (!knownOperators.includes(condition.operator) || !knownKeys.includes(condition.key)) {
      throw unknownCondition(condition, where);
    }
  }
}

function unknownCondition({ operator, key }: Condition, where: string): CloudError {
  return new CloudError(`The local cloud does not support the condition ${operator} on ${key} in ${where}`);
}
