import * as v from 'valibot';
import { combineAccess } from '../../shared/domain/table-access.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { RehearsedFunction, RehearsedStack } from './rehearsed-stack.ts';

const Statement = v.looseObject({
  Action: v.union([v.string(), v.array(v.string())]),
  Condition: v.optional(
    v.looseObject({
      'ForAllValues:StringLike': v.optional(v.object({ 'dynamodb:LeadingKeys': v.array(v.string()) })),
    }),
  ),
});
const Role = v.looseObject({
  Policies: v.optional(
    v.array(v.looseObject({ PolicyDocument: v.looseObject({ Statement: v.array(Statement) }) })),
    [],
  ),
});

/** What the registries say that a function does to the table, as `Action on KIND`. */
function needed(id: string): string[] {
  const operation = operations.find((entry) => entry.id === id);
  const access = operation
    ? operationAccess(operation)
    : combineAccess(workers.find((worker) => worker.id === id)?.effects.access ?? []);
  return Object.entries(access).flatMap(([kind, actions]) => actions.map((action) => `${action} on ${kind}`));
}

/** What its role lets it do to the table. */
export function grantedOnTable({ roleId }: RehearsedFunction, { template }: RehearsedStack): string[] {
  const { Policies } = v.parse(Role, template.Resources[roleId]?.Properties ?? {});
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(({ Action, Condition }) => {
    const kinds = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
    const actions = [Action].flat().filter((action) => action.startsWith('dynamodb:'));
    return actions.flatMap((action) =>
      kinds.map((kind) => `${action.replace('dynamodb:', '')} on ${kind.replace('#*', '')}`),
    );
  });
}

export function checkGrants(stack: RehearsedStack): string[] {
  return stack.functions.flatMap((deployed) => {
    const [need, have] = [needed(deployed.id), grantedOnTable(deployed, stack)];
    return [
      ...need
        .filter((grant) => !have.includes(grant))
        .map((grant) => `${deployed.id} needs ${grant}, which its role does not allow.`),
      ...have
        .filter((grant) => !need.includes(grant))
        .map((grant) => `${deployed.id} may ${grant}, which the registry does not name.`),
    ];
  });
}
