import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { keyKinds, writeActions } from '../../shared/domain/table-access.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { isDeployedWith } from '../../shared/workers/worker.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('dev');
const workersOfStage = workers.filter((worker) => isDeployedWith(worker, 'sandbox'));

/** An operation or a worker. */
interface Deployed {
  readonly id: string;
}

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

function statementsOf(deployed: Deployed) {
  const roleId = referencesIn(stack.functionOf(deployed).Properties.Role)[0] ?? '';
  const role = v.parse(Role, stack.resources.get(roleId)?.Properties);
  expect(role.ManagedPolicyArns).toEqual([]);
  return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** What a function may do to the table, read from its role: kind → actions. */
function grantedAccess(deployed: Deployed): Record<string, string[]> {
  const granted: Record<string, string[]> = {};
  for (const { Action, Condition } of statementsOf(deployed)) {
    const actions = [Action].flat().filter((action) => action.startsWith('dynamodb:'));
    if (actions.length === 0) continue;
    const kinds = v.parse(LeadingKeys, Condition)['ForAllValues:StringLike']['dynamodb:LeadingKeys'];
    for (const kind of kinds.map((pattern) => pattern.replace('#*', ''))) {
      granted[kind] = [...(granted[kind] ?? []), ...actions.map((action) => action.replace('dynamodb:', ''))].sort();
    }
  }
  return granted;
}

/** The kinds that a function may write to, with all it may do to them. */
const writableKinds = (deployed: Deployed) =>
  Object.entries(grantedAccess(deployed)).filter(([, actions]) =>
    actions.some((action) => writeActions.some((write) => write === action)),
  );

/**
 * What these functions do to the table, written down from their code and not from the registry. That the others have the grants they
 * need is proved where they run: `grantedTable` refuses a call without a grant in data tests, and the local cloud enforces these
 * roles in every test over HTTP.
 */
const replayedOnce = { IDM: ['DeleteItem', 'PutItem', 'UpdateItem'] };
const withKey = { AUTH: ['UpdateItem'], REQ: ['PutItem'] };
const fromShops = { ...withKey, PUB: ['GetItem', 'UpdateItem'], PUBCNT: ['GetItem', 'UpdateItem'] };
const expectedAccess: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  openapi: {},
  health: { PING: ['GetItem'] },
  'retrieve-rate-limit': { AUTH: ['GetItem'], REQ: ['PutItem'] },
  'retrieve-member': { ...withKey, MEM: ['GetItem'] },
  'list-webhook-events': { ...withKey, FEED: ['Query'] },
  'list-journal-entries': { ...withKey, JRN: ['Query'] },
  'list-requests': { AUTH: ['UpdateItem'], REQ: ['PutItem', 'Query'] },
  'open-basket': { ...fromShops, ...replayedOnce, BSK: ['PutItem'], DUE: ['PutItem'], HMAC: ['GetItem'] },
  'unlink-sso-user': { ...fromShops, SSO: ['DeleteItem', 'GetItem', 'Query'] },
  'delete-webhook-endpoint': {
    ...withKey,
    BRK: ['DeleteItem'],
    // The id of a deleted endpoint is kept, so that erasure and export reach its log.
    HOOK: ['DeleteItem', 'PutItem', 'UpdateItem'],
    RPL: ['DeleteItem'],
  },
  'publish-outbox': {},
  'push-pass-changes': {
    BSK: ['GetItem'],
    EVT: ['GetItem'],
    FEED: ['GetItem'],
    MEM: ['GetItem'],
    ORD: ['GetItem'],
    ORG: ['GetItem'],
    ORT: ['GetItem'],
    WDV: ['DeleteItem', 'Query'],
  },
  'fan-out-scans': { DLV: ['PutItem'], DUE: ['BatchWriteItem', 'DeleteItem', 'PutItem'], HOOK: ['Query'] },
};

it.each(Object.entries(expectedAccess))('the IAM role of %s allows what its code does, and no more', (id, expected) => {
  expect(grantedAccess({ id })).toEqual(expected);
});

describe.each<Deployed>([...operations, ...workersOfStage])('IAM role of $id', (deployed) => {
  it('the IAM role names existing key kinds', () => {
    expect(Object.keys(keyKinds)).toEqual(expect.arrayContaining(Object.keys(grantedAccess(deployed))));
  });

  it('the IAM role has no wildcard, no Scan and no PartiQL', () => {
    const actions = statementsOf(deployed).flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /\*|Scan|PartiQL/.test(action))).toEqual([]);
    const anywhere = statementsOf(deployed).filter(({ Resource }) => [Resource].flat().includes('*'));
    expect(anywhere).toEqual([]);
  });
});

it.each(operations.filter(({ method }) => method === 'GET'))(
  'the IAM role of $id, which reads, allows writes only to request counts and the request log',
  (operation) => {
    const writable = writableKinds(operation).map(([kind]) => kind);
    expect(['AUTH', 'GATEAUTH', 'PUB', 'PUBCNT', 'REQ']).toEqual(expect.arrayContaining(writable));
  },
);

it('the IAM role of audit-organisations allows writes only to its own position', () => {
  expect(writableKinds({ id: 'audit-organisations' })).toEqual([['AUD', ['GetItem', 'PutItem']]]);
});
