import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieveOrganisationHandler } from '../../../functions/api/organisation/retrieve-organisation.ts';
import {
  changeStorefrontToken,
  listStorefrontTokens,
  revokeStorefrontToken,
  rotateStorefrontToken,
} from '../../../shared/data/admin/storefront-tokens.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { signToken } from '../../../shared/http/auth/sign-token.ts';
import type { Handle } from '../../../shared/http/pipeline.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { makeStorefrontToken, otherSigner, testSigner } from '../../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken, shopOrigin } from '../../../tools/fixtures/storefront.ts';
import { callWithHeaders, type OperationCall } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
const noonUnix = noon / 1000;
let table: Table;
let orgId: string;
let made = 0;
/** The calls to the table, by name. */
const calls: string[] = [];

beforeAll(async () => {
  ({ table } = await createTestTable());
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        calls.push(String(commandName));
        return next(args);
      },
    { step: 'initialize', priority: 'high', name: 'recordCalls' },
  );
});

async function newOrganisation(): Promise<string> {
  made += 1;
  return givenOrganisation(table, `org_shop${made}`);
}

const organisation = (bearer: string, changes: Partial<OperationCall> = {}) =>
  callWithHeaders(retrieveOrganisation, retrieveOrganisationHandler, { table, nowMs: noon, bearer, ...changes });

describe('storefront tokens', () => {
  beforeAll(async () => {
    orgId = await newOrganisation();
  });

  it('a storefront token shows the public fields of its organisation, and null for the others', async () => {
    const { text } = await givenStorefrontToken(table, orgId);
    const { text: key } = await givenKey(table, orgId);
    const { status, body, headers } = await organisation(text, { headers: { Origin: shopOrigin } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...(await organisation(key)).body,
      company: null,
      business_number: null,
      payment_account_id: null,
    });
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': '600',
      'X-RateLimit-Remaining': '599',
      'RateLimit-Policy': '"address-minute";q=600;w=60, "storefront-minute";q=60000;w=60',
    });
  });

  it.each([
    ['https://evil.example.com'],
    ['null'],
    ['HTTPS://SHOP.EXAMPLE.COM'],
    ['https://shop.example.com.'],
    ['https://shop.example.com:8443'],
    ['https://sub.shop.example.com'],
    ['https://xn--shp-3qa.example.com'],
    [''],
  ])('a page of the origin %j is refused', async (Origin) => {
    const { text } = await givenStorefrontToken(table, orgId);
    expect(await organisation(text, { headers: { Origin } })).toMatchObject({
      status: 403,
      body: { error: { code: 'origin_not_allowed', type: 'permission_error' } },
    });
  });

  it('a request without an Origin header is answered', async () => {
    const { text } = await givenStorefrontToken(table, orgId);
    expect((await organisation(text)).status).toBe(200);
  });

  it('changed origins, revocation and expiry take effect at the next request', async () => {
    const { text, tokenId } = await givenStorefrontToken(table, orgId);
    const Origin = 'https://new.example.com';
    expect((await organisation(text, { headers: { Origin } })).status).toBe(403);
    const id = { orgId, tokenId };
    expect(await changeStorefrontToken(table, id, { origins: [Origin] })).toMatchObject({ outcome: 'changed' });
    expect(await changeStorefrontToken(table, id, { origins: [Origin] })).toMatchObject({ outcome: 'unchanged' });
    expect((await organisation(text, { headers: { Origin } })).status).toBe(200);
    expect((await organisation(text, { headers: { Origin: shopOrigin } })).status).toBe(403);
    const rotation = { ...id, nowUnix: noonUnix, overlapSeconds: 60 };
    const rotated = await rotateStorefrontToken(table, rotation, makeStorefrontToken);
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    expect(rotated.token).toMatchObject({ origins: [Origin], rotatedFrom: tokenId, perMinute: 60_000, maxHeld: 40 });
    expect((await organisation(text, { nowMs: noon + 59_000 })).status).toBe(200);
    expect(await organisation(text, { nowMs: noon + 60_000 })).toMatchObject({
      status: 401,
      body: { error: { code: 'api_key_expired' } },
    });
    expect((await organisation(rotated.token.text)).status).toBe(200);
    const revocation = { orgId, tokenId: rotated.token.tokenId, nowUnix: noonUnix };
    expect(await revokeStorefrontToken(table, revocation)).toMatchObject({ outcome: 'changed' });
    expect(await revokeStorefrontToken(table, { ...revocation, nowUnix: noonUnix + 9 })).toMatchObject({
      outcome: 'unchanged',
      token: { revokedUnix: noonUnix },
    });
    expect(await organisation(rotated.token.text)).toMatchObject({
      status: 401,
      body: { error: { code: 'api_key_invalid' } },
    });
    expect(
      await rotateStorefrontToken(table, { ...rotation, tokenId: rotated.token.tokenId }, makeStorefrontToken),
    ).toEqual({
      outcome: 'not_live',
    });
    const listed = await listStorefrontTokens(table, orgId);
    expect(listed.find((token) => token.tokenId === tokenId)).toMatchObject({ text, expiresUnix: noonUnix + 60 });
  });

  it('a token that was never issued is unknown, and a forged one costs no call', async () => {
    const { tokenId } = await givenStorefrontToken(table, orgId);
    expect((await organisation(makeStorefrontToken(orgId, tokenId).text)).status).toBe(401);
    expect((await organisation(makeStorefrontToken(orgId, 'none').text)).status).toBe(401);
    const before = calls.length;
    expect((await organisation(signToken('pub', orgId, tokenId, otherSigner).text)).status).toBe(401);
    expect(calls.length - before).toBe(0);
  });

  it('authentication and limits are two calls at the same time', async () => {
    const { text } = await givenStorefrontToken(table, orgId);
    const before = calls.length;
    const handle: Handle<typeof retrieveOrganisation> = async () => {
      throw new Error('end of authentication');
    };
    await callWithHeaders(retrieveOrganisation, handle, { table, nowMs: noon, bearer: text });
    expect(calls.slice(before)).toHaveLength(2);
  });

  it('every operation that is not for storefronts is a 403 without a call to the table', async () => {
    const { text } = await givenStorefrontToken(table, orgId);
    const never: Handle<Operation> = async () => {
      throw new Error('The handler of a refused request ran.');
    };
    const refused = operations.filter(({ auth }) => auth.kind !== 'public' && auth.storefront === undefined);
    expect(refused.map(({ id }) => id)).toEqual(expect.arrayContaining(['list-customers', 'list-event-orders']));
    for (const operation of refused) {
      const before = calls.length;
      const buffered = { ...operation, output: { ...operation.output, streamed: false } };
      const response = await callWithHeaders(buffered, never, { table, nowMs: noon, bearer: text });
      expect([operation.id, response]).toMatchObject([
        operation.id,
        { status: 403, body: { error: { code: 'storefront_not_allowed' } } },
      ]);
      expect(calls.length).toBe(before);
    }
  });
});

describe('an API key in a browser', () => {
  it.each([
    ['live', 'https://api.gateline.example'],
    ['live', 'https://shop.example.com'],
    ['test', 'https://shop.example.com'],
    ['test', 'http://api.gateline.example'],
    ['test', 'null'],
    ['test', ''],
  ] as const)('a %s key with the origin %j is refused without a call to the table', async (kind, Origin) => {
    const { text } = signToken(kind, await newOrganisation(), '1', testSigner);
    const before = calls.length;
    expect(await organisation(text, { headers: { Origin } })).toMatchObject({
      status: 403,
      body: { error: { code: 'secret_key_in_browser' } },
    });
    expect(calls.length).toBe(before);
  });

  it('a test key is answered on pages of the API itself', async () => {
    const { text } = await givenKey(table, orgId);
    expect((await organisation(text, { headers: { Origin: 'https://api.gateline.example' } })).status).toBe(200);
  });
});
