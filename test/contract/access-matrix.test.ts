import '../support/streaming-runtime.ts';

import { text } from 'node:stream/consumers';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { issueGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import { storefrontTokenKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { basketTokenOf } from '../../shared/http/auth/basket-token.ts';
import { confirmWithdrawalTokenOf } from '../../shared/http/auth/entry-token.ts';
import { needsFanToken, type Operation, readsBody } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import {
  createContractFixture,
  eventIdOf,
  expiredToken,
  fanToken,
  givenOtherFan,
  orderIdOf,
  otherFanToken,
  unlinkedToken,
} from '../../tools/fixtures/contract/contract-fixture.ts';
import { bodyOf, paramsOf, prepare, queryOf, shopBodyOf } from '../../tools/fixtures/contract/examples.ts';
import { nextBasketId } from '../../tools/fixtures/contract/supplies-fixture.ts';
import { contractWithdrawal } from '../../tools/fixtures/contract/withdrawal-fixture.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { givenFullConfig } from '../../tools/fixtures/membership.ts';
import { makeGateToken } from '../../tools/fixtures/signing-key.ts';
import { IdentityProvider } from '../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { callPipeline, type OperationCall } from '../support/call-operation.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { handleOf } from '../support/operation-handles.ts';
import { givenStackSecret } from '../support/stack-secret.ts';
import { createTestTable } from '../support/table.ts';
import { isThorough } from '../support/thorough.ts';
import { type Answer, isPublic, isRefused, seesNothingOf, succeeds, type Verdict } from './access-verdicts.ts';

await givenStackSecret();

const [mine, theirs] = ['org_mine', 'org_theirs'] as const;
type Org = typeof mine | typeof theirs;

let table: Table;
const keys: Partial<Record<string, string>> = {};
/** The key with which the basket tokens of each organisation's storefront token are made. */
const basketKeys: Partial<Record<string, Uint8Array>> = {};

beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
  for (const orgId of [mine, theirs]) {
    await givenOrganisation(table, orgId);
    await createContractFixture(table, orgId);
    await givenFullConfig(table, orgId);
    keys[orgId] = (await givenKey(table, orgId)).text;
    const shop = await givenStorefrontToken(table, orgId, { maxHeld: 100_000 });
    keys[`shop of ${orgId}`] = shop.text;
    const Key = storefrontTokenKey(orgId, shop.tokenId);
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }));
    basketKeys[orgId] = v.parse(v.object({ basketKey: v.instance(Uint8Array) }), Item).basketKey;
  }
  await givenOtherFan(table, mine);
  await saveProvider(table, theirs, elsewhere.asProvider({ providerId: 'elsewhere' }));
  keys.read = (await givenKey(table, mine, { keyId: '2', scopes: ['read'] })).text;
  const times = { createdUnix: 0, expiresUnix: farFutureUnix };
  const gate = { label: null, gates: 'all', events: [eventIdOf(mine)], offline: true, ...times } as const;
  keys.gate = (await issueGateToken(table, mine, gate, makeGateToken)).text;
});

/** A caller that must not get further than the registry says. */
interface Caller {
  readonly name: string;
  /** Whether the caller is another one for this operation. */
  readonly meets?: (operation: Operation) => boolean;
  /** Changes the request of a caller who may do everything. */
  readonly request: (operation: Operation) => Partial<OperationCall>;
  readonly expected: (operation: Operation) => Verdict;
}

const altered = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
};
const hasBasket = ({ auth, input }: Operation): boolean =>
  auth.storefront !== undefined && 'basket_id' in input.params.entries;
const shopCall = (operation: Operation, headers: Record<string, string> = {}): Partial<OperationCall> => {
  const params = paramsOf(operation, mine);
  const token = 'basket_id' in params ? { 'X-Basket-Token': basketToken(mine, params.basket_id) } : {};
  return {
    bearer: keys[`shop of ${mine}`],
    params,
    body: { ...shopBodyOf(operation, mine), ...mailedToken(operation, params) },
    headers: { ...token, ...headers },
  };
};
const basketToken = (orgId: Org, basketId: string | undefined): string =>
  basketTokenOf(basketKeys[orgId] ?? new Uint8Array(), orgId, Number(basketId));

/** A page confirms a withdrawal with what the buyer got by mail. */
function mailedToken({ id }: Operation, { withdrawal_id = '' }: Readonly<Record<string, string>>): object {
  const key = basketKeys[mine];
  if (id !== 'confirm-withdrawal' || key === undefined) return {};
  return { confirm_token: confirmWithdrawalTokenOf(key, mine, contractWithdrawal(withdrawal_id)) };
}

const withBasketToken = (name: string, token: (basketId: string | undefined) => string | undefined): Caller => ({
  name: `a storefront token and ${name}`,
  meets: hasBasket,
  request: (operation) => {
    const call = shopCall(operation);
    const sent = token(call.params?.basket_id);
    return { ...call, headers: sent === undefined ? {} : { 'X-Basket-Token': sent } };
  },
  expected: () => isRefused(404, 'resource_not_found'),
});

const withFanToken = (name: string, token: string | undefined, expected: Caller['expected']): Caller => ({
  name: `a storefront token and ${name}`,
  request: (operation) => shopCall(operation, token === undefined ? {} : { 'X-SSO-Token': token }),
  expected: (operation) =>
    operation.auth.storefront === undefined ? isRefused(403, 'storefront_not_allowed') : expected(operation),
});
const refusesFan =
  (...codes: readonly string[]): Caller['expected'] =>
  (operation) =>
    operation.auth.ssoUser === undefined ? succeeds(operation) : isRefused(401, ...codes);

/** A provider that only the other organisation has registered, and a fan of it. */
const elsewhere = new IdentityProvider('https://elsewhere.example.com');
const foreignToken = elsewhere.token('ada', { claims: { exp: 9_999_999_999 } });

const callers: readonly Caller[] = [
  {
    name: 'no key',
    meets: (operation) => !isPublic(operation),
    request: () => ({ bearer: undefined }),
    expected: () => isRefused(401, 'api_key_missing'),
  },
  {
    name: 'an altered key',
    meets: (operation) => !isPublic(operation),
    request: () => ({ bearer: altered(keys[mine] ?? '') }),
    expected: () => isRefused(401, 'api_key_invalid', 'api_key_malformed'),
  },
  {
    name: "another organisation's key",
    meets: (operation) => !isPublic(operation),
    request: (operation) => ({
      bearer: keys[theirs],
      params: paramsOf(operation, mine),
      body: bodyOf(operation, mine),
    }),
    expected: (operation) => seesNothingOf(mine, operation),
  },
  {
    name: "another organisation's ids",
    meets: (operation) => !isPublic(operation),
    request: (operation) => ({ params: paramsOf(operation, theirs), body: bodyOf(operation, theirs) }),
    expected: (operation) => seesNothingOf(theirs, operation),
  },
  {
    name: 'a key that may only read',
    meets: (operation) => !isPublic(operation),
    request: () => ({ bearer: keys.read }),
    expected: (operation) => {
      const allowed: readonly (Scope | undefined)[] = [
        operation.auth.kind === 'public' ? undefined : operation.auth.scope,
        operation.auth.orScope,
      ];
      return allowed.includes('read') ? succeeds(operation) : isRefused(403, 'scope_missing');
    },
  },
  {
    name: 'a gate token',
    meets: (operation) => !isPublic(operation),
    request: () => ({ bearer: keys.gate }),
    expected: (operation) => (operation.auth.gates ? succeeds(operation) : isRefused(403, 'gate_token_not_allowed')),
  },
  withFanToken('no fan token', undefined, (operation) => {
    if (needsFanToken(operation) || operation.auth.ssoUser === 'linked_on_pages')
      return isRefused(401, 'sso_token_missing');
    // A place in a waiting list is the fan's, or that of whoever has its token.
    return 'entry_id' in operation.input.params.entries ? isRefused(404, 'resource_not_found') : succeeds(operation);
  }),
  withFanToken('an altered fan token', altered(fanToken), refusesFan('sso_token_invalid')),
  withFanToken('an expired fan token', expiredToken, refusesFan('sso_token_expired', 'sso_token_invalid')),
  withFanToken('a fan token of another organisation', foreignToken, refusesFan('sso_token_invalid')),
  {
    ...withFanToken('the token of a fan who is not linked', unlinkedToken, (operation) =>
      ['linked', 'linked_on_pages'].includes(operation.auth.ssoUser ?? '')
        ? isRefused(403, 'sso_user_not_linked')
        : ({ status }) => status < 500,
    ),
    // These would link the fan, for all requests after them.
    meets: (operation) => !isPublic(operation) && !['check-out-basket', 'link-sso-user'].includes(operation.id),
  },
  withFanToken('the token of another fan', otherFanToken, (operation) => {
    const isOfFan = operation.auth.ssoUser === 'linked_on_pages' || 'entry_id' in operation.input.params.entries;
    if (isOfFan) return isRefused(404, 'resource_not_found');
    return ({ status, text }) => status < 500 && !text.includes(String(orderIdOf(mine)));
  }),
  withBasketToken('no basket token', () => undefined),
  withBasketToken('an altered basket token', (basketId) => altered(basketToken(mine, basketId))),
  withBasketToken('the token of another basket', () => basketToken(mine, String(nextBasketId(mine)))),
  withBasketToken("the token of another organisation's shop", (basketId) => basketToken(theirs, basketId)),
];

const cells = callers.flatMap((caller) =>
  operations
    .filter((operation) => caller.meets?.(operation) ?? !isPublic(operation))
    .map((operation) => ({ caller, operation })),
);
/** `npm test` runs two rows, and of the others every ninth cell, which meets every caller and, over the callers, other operations. */
const inFull = ['no key', "another organisation's ids"];
const sample = cells.filter(({ caller }, index) => isThorough || inFull.includes(caller.name) || index % 9 === 0);

let sent = 0;

async function answerOf({ caller, operation }: (typeof cells)[number]): Promise<Answer> {
  sent += 1;
  for (const orgId of [mine, theirs]) await prepare(operation, table, orgId);
  const call: OperationCall = {
    table,
    bearer: keys[mine],
    query: queryOf(operation),
    params: paramsOf(operation, mine),
    body: bodyOf(operation, mine),
    headers: needsFanToken(operation) ? { 'X-SSO-Token': fanToken } : {},
    // Below every limit of a key and of an address.
    nowMs: Date.UTC(2026, 10, 7) + sent * 1_000,
    sourceIp: `203.0.${Math.floor(sent / 250)}.${sent % 250}`,
    ...caller.request(operation),
  };
  // A streamed body is then read here, not by Lambda.
  const buffered = { ...operation, output: { ...operation.output, streamed: false } };
  const { statusCode: status, body } = await callPipeline(
    buffered,
    handleOf(operation),
    readsBody(operation) ? call : { ...call, body: undefined },
  );
  // The other fan is linked again: the requests after it expect that.
  if (operation.id === 'unlink-sso-user') await givenOtherFan(table, mine);
  const sentText = typeof body === 'string' ? body : await text(body);
  const error = status < 400 ? {} : fieldsOf(JSON.parse(sentText).error);
  return { status, code: error.code === undefined ? undefined : String(error.code), text: sentText };
}

describe(`the access matrix: ${sample.length} of ${cells.length} requests`, () => {
  it.each(callers)('$name gets no further than the registry says', async (caller) => {
    const wrong: string[] = [];
    const met = sample.filter((one) => one.caller === caller);
    expect(met).not.toEqual([]);
    for (const cell of met) {
      const answer = await answerOf(cell);
      if (!caller.expected(cell.operation)(answer)) {
        wrong.push(`${cell.operation.id}: ${answer.status} ${answer.code ?? answer.text.slice(0, 100)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('meets every operation that is not public with every kind of caller', () => {
    const metered = operations.filter((operation) => !isPublic(operation));
    expect(cells.length).toBeGreaterThan(metered.length * 12);
    console.log(`Access matrix: ${sent} of ${cells.length} requests, ${metered.length} operations.`);
  });
});
