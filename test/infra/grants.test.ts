import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { retiredAccess } from '../../lib/retired-grants.ts';
import { combineAccess, keyKinds, type TableAccess, writeActions } from '../../shared/domain/table-access.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('dev');

const oneOrMore = v.union([v.string(), v.array(v.string())]);
const Statement = v.looseObject({
  Effect: v.literal('Allow'),
  Action: oneOrMore,
  Resource: v.unknown(),
  Condition: v.optional(v.unknown()),
});
const Role = v.looseObject({
  ManagedPolicyArns: v.optional(v.array(v.unknown()), []),
  Policies: v.array(v.looseObject({ PolicyDocument: v.looseObject({ Statement: v.array(Statement) }) })),
});
const LeadingKeys = v.strictObject({
  'ForAllValues:StringLike': v.strictObject({
    'dynamodb:LeadingKeys': v.array(v.pipe(v.string(), v.regex(/^[A-Z]+#\*$/))),
  }),
});

function statementsOf(operation: Operation) {
  const roleId = referencesIn(stack.functionOf(operation).Properties.Role)[0] ?? '';
  const role = v.parse(Role, stack.resources.get(roleId)?.Properties);
  expect(role.ManagedPolicyArns).toEqual([]);
  return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** What a function may do to the table, read from its role: kind → actions. */
function grantedAccess(operation: Operation): Record<string, string[]> {
  const granted: Record<string, string[]> = {};
  for (const { Action, Condition } of statementsOf(operation)) {
    const actions = [Action].flat().filter((action) => action.startsWith('dynamodb:'));
    if (actions.length === 0) continue;
    const kinds = v.parse(LeadingKeys, Condition)['ForAllValues:StringLike']['dynamodb:LeadingKeys'];
    for (const kind of kinds.map((pattern) => pattern.replace('#*', ''))) {
      granted[kind] = [...(granted[kind] ?? []), ...actions.map((action) => action.replace('dynamodb:', ''))].sort();
    }
  }
  return granted;
}

/** Written by hand, so that the registry is not compared with itself. */
function expectedAccess({ id, auth, effects, method }: Operation): TableAccess {
  const authActions = { metered: ['UpdateItem'], unmetered: ['GetItem'], public: [] } as const;
  const expected = combineAccess([
    effects.access,
    { AUTH: authActions[auth.kind] },
    { GATEAUTH: auth.gates ? ['UpdateItem'] : [] },
    auth.storefront ? { PUB: ['GetItem', 'UpdateItem'], PUBCNT: ['UpdateItem'] } : {},
    { IDM: method === 'POST' ? ['DeleteItem', 'PutItem', 'UpdateItem'] : [] },
    effects.emits.length > 0 ? { FEED: ['PutItem'], DUE: ['PutItem'] } : {},
    retiredAccess(id),
  ]);
  return Object.fromEntries(Object.entries(expected).filter(([, actions]) => actions.length > 0));
}

describe.each(operations)('IAM role of $id', (operation) => {
  it('the IAM role allows on the table what the registry lists, kind by kind, and nothing else', () => {
    expect(grantedAccess(operation)).toEqual(expectedAccess(operation));
  });

  it('the IAM role names existing key kinds', () => {
    expect(Object.keys(keyKinds)).toEqual(expect.arrayContaining(Object.keys(grantedAccess(operation))));
  });

  it('the IAM role has no wildcard, no Scan and no PartiQL', () => {
    const actions = statementsOf(operation).flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /\*|Scan|PartiQL/.test(action))).toEqual([]);
    const anywhere = statementsOf(operation).filter(({ Resource }) => [Resource].flat().includes('*'));
    expect(anywhere).toEqual([]);
  });

  it.runIf(operation.method === 'GET')('the IAM role of a read operation allows writes only to request counts', () => {
    const writable = Object.entries(grantedAccess(operation)).filter(([, actions]) =>
      actions.some((action) => writeActions.some((write) => write === action)),
    );
    expect(['AUTH', 'GATEAUTH', 'PUB', 'PUBCNT']).toEqual(expect.arrayContaining(writable.map(([kind]) => kind)));
  });
});
