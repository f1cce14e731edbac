import { describe, expect, it } from 'vitest';
import { approve } from '../../admin/agents/approve.ts';
import { maskedValue, withoutPeople } from '../../admin/agents/people.ts';
import { keyScopes, needsApproval, operationsOf, profiles, withheldScopes } from '../../admin/agents/profiles.ts';
import { requestOf } from '../../admin/agents/request.ts';
import { argumentsOf, toolOf } from '../../admin/agents/tools.ts';
import { validate } from '../../shared/http/input/validate.ts';
import { operations } from '../../shared/operations/registry.ts';

const named = Object.entries(profiles).map(([name, profile]) => ({ name, profile }));
const operation = (id: string) => {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
};

describe.each(named)('the profile $name of the MCP server', ({ profile }) => {
  const offered = operationsOf(profile);

  it('its key cannot refund, cancel or publish', () => {
    expect(withheldScopes).toEqual(expect.arrayContaining(['orders:write', 'catalogue:write']));
    expect(keyScopes(profile).filter((scope) => withheldScopes.includes(scope))).toEqual([]);
    for (const each of offered.filter(({ effects }) => effects.cannotBeUndone)) expect(needsApproval(each)).toBe(true);
  });

  it('every call without approval needs only scopes of its key', () => {
    for (const { id, auth } of offered.filter((each) => !needsApproval(each))) {
      const accepted = auth.kind === 'public' ? [] : [auth.scope, auth.orScope];
      expect(
        keyScopes(profile).some((scope) => accepted.includes(scope)),
        id,
      ).toBe(true);
    }
  });

  it('its key sells nothing at the counter, and takes and returns no money there', () => {
    expect(keyScopes(profile)).not.toContain('counter');
    // A key that has it is refused when the server starts.
    expect(withheldScopes).toContain('counter');
    const ofCounter = offered.filter(({ auth }) => auth.kind !== 'public' && auth.scope === 'counter');
    for (const each of ofCounter) expect(needsApproval(each), each.id).toBe(true);
  });

  it('each tool has the schema of its operation, complete in itself', () => {
    for (const each of offered) {
      const { inputSchema, annotations } = toolOf(each);
      const { params, query, body } = each.input;
      const names = [params, query, body].flatMap(({ entries }) => Object.keys(entries));
      expect(Object.keys(inputSchema.properties ?? {}).sort(), each.id).toEqual([...new Set(names)].sort());
      expect(JSON.stringify(inputSchema), each.id).not.toContain('$ref');
      expect(inputSchema.additionalProperties, each.id).toBe(false);
      expect(annotations?.readOnlyHint, each.id).toBe(each.method === 'GET');
    }
  });

  it('offers nothing that sends data elsewhere, and nothing of a signed-in fan', () => {
    expect(offered.filter(({ resource }) => resource === 'webhooks' || resource === 'sso')).toEqual([]);
  });
});

it('an argument that path, query and body share means the same in each', () => {
  const inTwo = operations.flatMap(({ id, input: { params, query, body } }) =>
    Object.keys({ ...query.entries, ...body.entries })
      .filter(
        (name) => Number(name in params.entries) + Number(name in query.entries) + Number(name in body.entries) > 1,
      )
      .map((name) => ({ id, name })),
  );
  expect([...new Set(inTwo.map(({ name }) => name))]).toEqual(['dry_run']);
});

it('the profile catalogue offers no operation that shows people', () => {
  const ids = operationsOf(profiles.catalogue).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['list-events', 'create-price', 'update-event', 'list-pools']));
  expect(ids).not.toContain('list-event-orders');
  expect(ids).not.toContain('list-event-tickets');
});

it('a call goes where the operation reads it', () => {
  expect(requestOf(operation('refund-order'), { order_id: 'a/b', reason: 'Storm' })).toEqual({
    method: 'POST',
    path: '/v1/orders/a%2Fb/refunds',
    body: { reason: 'Storm' },
  });
  expect(requestOf(operation('list-orders'), { order_status: 'confirmed', limit: 2 })).toEqual({
    method: 'GET',
    path: '/v1/orders?order_status=confirmed&limit=2',
    body: undefined,
  });
});

it('a path takes an id as an answer shows it, as a number or as text', () => {
  for (const order_id of [3_711_000_000_000_512, '3711000000000512']) {
    expect(validate(argumentsOf(operation('retrieve-order')), { order_id }).details).toEqual([]);
    expect(requestOf(operation('retrieve-order'), { order_id }).path).toBe('/v1/orders/3711000000000512');
  }
});

it('approve --help says what it does, and does nothing', async () => {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const surroundings = { localFolder: '/nowhere', nowMs: () => 0, print, printError: print, askSecret: undefined };
  expect(await approve(['--help'], surroundings)).toBe(0);
  expect(printed.join()).toContain('npm run approve -- <approval_id>');
});

it('masks people and what admits, at every depth, and leaves null', () => {
  const order = {
    order_id: 7,
    email_address: 'ada@example.com',
    tickets: [{ barcode: 'X', ticket_name: null, price: 5 }],
  };
  // A number on a card says who somebody is, as a name does.
  expect(withoutPeople({ membership_member_id: 7, member_number: '1042' })).toEqual({
    membership_member_id: 7,
    member_number: maskedValue,
  });
  expect(withoutPeople({ data: [order] })).toEqual({
    data: [
      { order_id: 7, email_address: maskedValue, tickets: [{ barcode: maskedValue, ticket_name: null, price: 5 }] },
    ],
  });
});
