import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';

/** One statement of a policy document. */
export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: string[];
  /** Empty in a trust policy, whose only resource is the role itself. */
  resources: string[];
  /** The service principals of resource and trust policies. `*` is everyone. */
  services: string[];
  conditions: Condition[];
}

export interface Condition {
  operator: string;
  key: string;
  values: string[];
}

const OneOrMany = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

/** Strict, because ignoring an unsupported element (NotAction, NotResource, NotPrincipal) would change the meaning. */
const RawStatement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: OneOrMany,
  Resource: v.optional(OneOrMany, []),
  Principal: v.optional(
    v.union([
      v.literal('*'),
      v.strictObject({
        Service: v.optional(OneOrMany, []),
        AWS: v.optional(OneOrMany, []),
        Federated: v.optional(OneOrMany, []),
      }),
    ]),
  ),
  Condition: v.optional(
    v.record(
      v.string(),
      v.record(
        v.string(),
        v.union([
          OneOrMany,
          v.pipe(
            v.boolean(),
            v.transform((flag) => [String(flag)]),
          ),
        ]),
      ),
    ),
    {},
  ),
});

const PolicyDocument = v.object({
  Statement: v.pipe(
    v.union([RawStatement, v.array(RawStatement)]),
    v.transform((value) => (Array.isArray(value) ? value : [value])),
  ),
});

/** Reads a policy document. `where` is the resource of the policy, for error messages. */
export function readPolicyDocument(document: unknown, where: string): Statement[] {
  const parsed = v.safeParse(PolicyDocument, document);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new CloudError(
      `The policy in ${where} is not supported at ${v.getDotPath(issue) ?? 'its top level'}: ${issue.message}`,
    );
  }
  return parsed.output.Statement.map((raw) => ({
    effect: raw.Effect,
    actions: raw.Action,
    resources: raw.Resource,
    services: servicesOf(raw.Principal),
    conditions: Object.entries(raw.Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => ({ operator, key, values })),
    ),
  }));
}

function servicesOf(principal: v.InferOutput<typeof RawStatement>['Principal']): string[] {
  if (principal === undefined) return [];
  if (principal === '*') return ['*'];
  return [...principal.Service, ...(principal.AWS.includes('*') ? ['*'] : [])];
}
