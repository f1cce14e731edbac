import * as v from 'valibot';
import { retiredAccess } from '../../lib/retired-grants.ts';
import { stageAccess } from '../../lib/stage-access.ts';
import type { StageConfig } from '../../lib/stage-config.ts';
import { accessText, addToAccess } from '../../local/run/grant-advice.ts';
import { combineAccess } from '../../shared/domain/table-access.ts';
import { operationAccess } from '../../shared/operations/grants.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { configOf, type RehearsedFunction, type RehearsedStack } from './rehearsed-stack.ts';

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

/** The table access of a function according to the registries and the retired grants, as `Action on KIND`. */
function needed(id: string, config: StageConfig): string[] {
  const operation = operations.find((entry) => entry.id === id);
  const used = operation
    ? operationAccess(operation)
    : combineAccess(workers.find((worker) => worker.id === id)?.effects.access ?? []);
  const access = stageAccess(config, combineAccess([used, retiredAccess(id)]));
  return Object.entries(access).flatMap(([kind, actions]) => actions.map((action) => `${action} on ${kind}`));
}

/** The table access that its role allows. */
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
  const config = configOf(stack);
  return stack.functions.flatMap((deployed) => {
    const [need, have] = [needed(deployed.id, config), grantedOnTable(deployed, stack)];
    return [
      ...need.filter((grant) => !have.includes(grant)).map((grant) => missing(deployed.id, grant)),
      ...have.filter((grant) => !need.includes(grant)).map((grant) => unlisted(deployed.id, grant)),
    ];
  });
}

function missing(id: string, grant: string): string {
  return `The role of ${id} lacks ${accessText(accessOf(grant))}, which its \`access\` lists: synthesize again, or fix lib/constructs/table-statements.ts.`;
}

function unlisted(id: string, grant: string): string {
  const access = accessOf(grant);
  return `The role of ${id} allows ${accessText(access)}, which its \`access\` does not list: ${addToAccess(id, access)}, or remove the grant.`;
}

function accessOf(grant: string): Readonly<Record<string, readonly string[]>> {
  const [action = '', kind = ''] = grant.split(' on ');
  return { [kind]: [action] };
}
