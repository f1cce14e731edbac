import * as v from 'valibot';
import { retiredMetadata } from '../../lib/retired-grants.ts';

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.looseObject({}), {}),
  Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
});
const Template = v.looseObject({ Resources: v.record(v.string(), Resource) });

const FunctionProperties = v.looseObject({
  Description: v.string(),
  Role: v.object({ 'Fn::GetAtt': v.pipe(v.array(v.string()), v.minLength(1)) }),
});
const Statement = v.looseObject({
  Action: v.union([v.string(), v.array(v.string())]),
  Condition: v.optional(
    v.looseObject({
      'ForAllValues:StringLike': v.optional(v.looseObject({ 'dynamodb:LeadingKeys': v.array(v.string()) })),
    }),
  ),
});
const RoleProperties = v.looseObject({
  Policies: v.optional(
    v.array(
      v.looseObject({ PolicyName: v.string(), PolicyDocument: v.looseObject({ Statement: v.array(Statement) }) }),
    ),
    [],
  ),
});

/** What the role of a function allows. */
interface RoleGrants {
  /** `DeleteItem on BSK` for the table, `Send: sqs:SendMessage` for the rest. */
  readonly allowed: ReadonlySet<string>;
  /** The part that no code of the release uses. */
  readonly retired: ReadonlySet<string>;
}

/** The grants of each function by its id, read from templates as CloudFormation has them. A function and its role share a stack. */
function roleGrants(templates: readonly unknown[]): ReadonlyMap<string, RoleGrants> {
  const grants = new Map<string, RoleGrants>();
  for (const { Resources } of templates.map((template) => v.parse(Template, template))) {
    for (const { Type, Properties } of Object.values(Resources)) {
      const parsed = v.safeParse(FunctionProperties, Properties);
      if (Type !== 'AWS::Lambda::Function' || !parsed.success) continue;
      const role = Resources[parsed.output.Role['Fn::GetAtt'][0] ?? ''];
      const retired = v.parse(v.optional(v.array(v.string()), []), role?.Metadata[retiredMetadata]);
      const { Policies } = v.parse(RoleProperties, role?.Properties ?? {});
      const allowed = Policies.flatMap(({ PolicyName, PolicyDocument }) =>
        PolicyDocument.Statement.flatMap((statement) => grantsIn(PolicyName, statement)),
      );
      grants.set(parsed.output.Description.split(':')[0] ?? '', {
        allowed: new Set(allowed),
        retired: new Set(retired),
      });
    }
  }
  return grants;
}

function grantsIn(policy: string, { Action, Condition }: v.InferOutput<typeof Statement>): string[] {
  const kinds = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  return [Action].flat().flatMap((action) => {
    if (kinds === undefined) return [`${policy}: ${action}`];
    return kinds.map((kind) => `${action.replace('dynamodb:', '')} on ${kind.replace('#*', '')}`);
  });
}

/** A grant that the deployed release uses and the next one does not allow. */
export interface LostGrant {
  readonly id: string;
  readonly grant: string;
}

/** A function that the next release does not have is deleted with its role, and no rollback brings it back. */
export function lostGrants(deployed: readonly unknown[], next: readonly unknown[]): LostGrant[] {
  const after = roleGrants(next);
  return [...roleGrants(deployed)].flatMap(([id, { allowed, retired }]) => {
    const kept = after.get(id)?.allowed;
    if (kept === undefined) return [];
    return [...allowed].filter((grant) => !retired.has(grant) && !kept.has(grant)).map((grant) => ({ id, grant }));
  });
}

/** Whether a grant is one of the table, which lib/retired-grants.json can keep. */
export const isTableGrant = ({ grant }: LostGrant): boolean => grant.includes(' on ');

/** Compares the roles of the next release with the deployed ones, which a rollback would need. */
export function checkRetiredGrants(stage: string, deployed: readonly unknown[], next: readonly unknown[]): string[] {
  return lostGrants(deployed, next).map((lost) => {
    const what = `The role of ${lost.id} no longer allows ${lost.grant}, which the deployed release uses: a rollback would fail.`;
    return isTableGrant(lost)
      ? `${what} Run npm run retire-grants -- --stage ${stage}, which keeps it for one release, and commit the file.`
      : `${what} Keep it in the registry entry for one release.`;
  });
}
