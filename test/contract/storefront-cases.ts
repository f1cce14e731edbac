import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { revokeStorefrontToken, type StorefrontTokenRecord } from '../../shared/data/admin/storefront-tokens.ts';
import { storefrontTokenKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { basketTokenOf } from '../../shared/http/auth/basket-token.ts';
import { confirmWithdrawalTokenOf } from '../../shared/http/auth/entry-token.ts';
import { signToken } from '../../shared/http/auth/sign-token.ts';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { eventIdOf, fanToken } from '../../tools/fixtures/contract/contract-fixture.ts';
import { formHeader, formOf, formType, paramsOf, shopBodyOf } from '../../tools/fixtures/contract/examples.ts';
import { nextBasketId } from '../../tools/fixtures/contract/supplies-fixture.ts';
import { contractWithdrawal } from '../../tools/fixtures/contract/withdrawal-fixture.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { makeStorefrontToken, otherSigner } from '../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import { fieldsOf } from '../support/fields-of.ts';
import type { ServiceResponse } from '../support/service.ts';
import { itIf } from '../support/thorough.ts';
import { type ContractGetter, mine, pipelineTest, type Request, theirs } from './contract.ts';
import { expectForShop } from './cors-cases.ts';
import { expectAnonymousLimits, expectReadable } from './expectations.ts';
import { describeSimpleForms } from './simple-form-cases.ts';

/** What every operation does with a storefront token, as the registry declares it, and with an API key that a page sends. */
export function describeStorefrontTokens(operation: Operation, contract: ContractGetter): void {
  pipelineTest(operation, 'refuses an API key that a web page sends, and counts nothing', async () => {
    for (const Origin of [shopOrigin, 'null']) {
      const response = await contract().send(operation, { headers: { Origin, ...formHeader(operation) } });
      expectCode(response, 403, 'secret_key_in_browser');
      expectAnonymousLimits(response);
    }
  });

  if (operation.auth.storefront === undefined) {
    const refuses = async (headers: Record<string, string>) => {
      const { text } = await storefrontToken(contract);
      const response = await contract().send(operation, { key: text, headers });
      expectCode(response, 403, 'storefront_not_allowed');
      expectAnonymousLimits(response);
    };
    pipelineTest(operation, 'refuses a storefront token', () => refuses({ Origin: shopOrigin }));
    pipelineTest(operation, 'refuses a storefront token from pages of any origin with the same code', async () => {
      for (const headers of [{}, { Origin: 'https://evil.example.com' }]) await refuses(headers);
    });
    return;
  }
  describeAccepted(operation, operation.auth.storefront.fields, contract);
  if ('basket_id' in operation.input.params.entries) describeBasketTokens(operation, contract);
  if (operation.auth.storefront.simpleForm) {
    const shop = async (params: Record<string, string>) => {
      const token = await storefrontToken(contract);
      const known = 'basket_id' in params ? await basketTokenFor(contract().service.table, token, params) : undefined;
      return { token, basketToken: known };
    };
    describeSimpleForms({ operation, contract, shop });
  } else if (operation.method === 'POST') describeNoSimpleForm(operation, contract);
  const isRead = operation.method === 'GET';
  if (isRead && 'event_id' in operation.input.params.entries) describeHiddenEvents(operation, contract);
  if ('price_id' in operation.input.body.entries) describeHiddenPrices(operation, contract);
}

function describeAccepted(operation: Operation, fields: readonly string[] | undefined, contract: ContractGetter): void {
  const isAccepted = async (headers: Record<string, string>): Promise<ServiceResponse> => {
    const response = await sendAsShop(operation, contract, { headers });
    expect(response.status, JSON.stringify(response.body)).toBe(operation.output.status);
    const isJson = operation.output.mediaType === 'application/json';
    const shown = isJson ? Object.entries(fieldsOf(response.body)) : [];
    const hidden = shown.filter(([name]) => fields?.includes(name) === false);
    expect(hidden.map(([, value]) => value)).toEqual(hidden.map(() => null));
    return response;
  };

  it('accepts a storefront token from pages of its origins, which may read and keep the response', async () => {
    const response = await isAccepted({ Origin: shopOrigin });
    expectForShop(operation, response);
    if (!operation.auth.storefront?.catalogue) return;
    const known = { Origin: shopOrigin, 'If-None-Match': String(response.headers.get('ETag')) };
    const unchanged = await sendAsShop(operation, contract, { headers: known });
    expect(unchanged.status).toBe(304);
    expectReadable(unchanged, shopOrigin);
  });

  pipelineTest(operation, 'accepts a storefront token from clients without an origin', async () => {
    await isAccepted({});
  });

  pipelineTest(operation, 'refuses a storefront token from pages of other origins', async () => {
    const others = [
      'https://evil.example.com',
      'null',
      'HTTPS://SHOP.EXAMPLE.COM',
      `${shopOrigin}.`,
      `${shopOrigin}:444`,
      'https://tickets.shop.example.com',
      'https://xn--shp-tna.example.com',
    ];
    for (const Origin of others) {
      expectCode(await sendAsShop(operation, contract, { headers: { Origin } }), 403, 'origin_not_allowed');
    }
  });

  pipelineTest(operation, 'refuses a storefront token that was revoked, never issued or forged', async () => {
    const { table } = contract().service;
    const revoked = await givenStorefrontToken(table, mine);
    await revokeStorefrontToken(table, { orgId: mine, tokenId: revoked.tokenId, nowUnix: 1_700_000_000 });
    const never = makeStorefrontToken(mine, 'none').text;
    for (const key of [revoked.text, never, signToken('pub', mine, revoked.tokenId, otherSigner).text]) {
      const response = await contract().send(operation, { key });
      expectCode(response, 401, 'api_key_invalid');
      expectAnonymousLimits(response);
    }
  });

  const hasBasket = 'basket_id' in operation.input.params.entries;
  itIf(operation.method === 'POST' && !hasBasket)('refuses an Idempotency-Key', async () => {
    const response = await sendAsShop(operation, contract, { headers: { 'Idempotency-Key': 'shared by all buyers' } });
    expectCode(response, 400, 'parameter_unknown');
    expect(response.body).toMatchObject({ error: { param: 'Idempotency-Key' } });
  });
}

function describeBasketTokens(operation: Operation, contract: ContractGetter): void {
  pipelineTest(
    operation,
    'treats a basket without its token, and with another one, like a missing basket',
    async () => {
      const { table } = contract().service;
      const token = await storefrontToken(contract);
      const params = paramsOf(operation, mine);
      const otherToken = await basketTokenFor(table, token, { basket_id: String(nextBasketId(mine)) });
      const foreign = paramsOf(operation, theirs);
      const ofOtherShop = await basketTokenFor(table, await givenStorefrontToken(table, theirs), params);
      const attempts: [params: Record<string, string>, basketToken: string | undefined][] = [
        [params, undefined],
        [params, ''],
        [params, 'x'],
        [params, otherToken],
        [params, ofOtherShop],
        [foreign, await basketTokenFor(table, token, params)],
        // A valid code for a basket that the organisation does not have.
        [foreign, await basketTokenFor(table, token, foreign)],
      ];
      for (const [sent, basketToken] of attempts) {
        const headers = {
          ...formHeader(operation),
          ...(basketToken !== undefined && { 'X-Basket-Token': basketToken }),
        };
        const response = await contract().send(operation, { key: token.text, params: sent, headers });
        expectCode(response, 404, 'resource_not_found');
        const advice = (basketToken ?? '') === '' ? expect.stringContaining('X-Basket-Token') : 'No such basket.';
        expect(response.body).toMatchObject({ error: { message: advice } });
      }
    },
  );
}

function describeNoSimpleForm(operation: Operation, contract: ContractGetter): void {
  it('reads no token from the fields of a form', async () => {
    const { text } = await storefrontToken(contract);
    const body = formOf({ ...shopBodyOf(operation, mine), storefront_token: text });
    const headers = { ...formType, Origin: shopOrigin };
    expectCode(await contract().send(operation, { key: undefined, body, headers }), 401, 'api_key_missing');
  });
}

function describeHiddenEvents(operation: Operation, contract: ContractGetter): void {
  it('hides drafts and events that are not public from a storefront token', async () => {
    const { service, key } = contract();
    for (const changes of [{ statusId: 0 }, { statusId: 3 }, { publicEvent: false }] as const) {
      const { eventId } = await givenEvent(service.table, mine, changes);
      const params = { event_id: String(eventId) };
      expect((await contract().send(operation, { params, key })).status).toBe(operation.output.status);
      expectCode(await sendAsShop(operation, contract, { params }), 404, 'resource_not_found');
    }
  });
}

function describeHiddenPrices(operation: Operation, contract: ContractGetter): void {
  it('treats a price that is not sold online like a missing one', async () => {
    const eventId = eventIdOf(mine);
    const { table } = contract().service;
    const { categoryId } = await givenPriceCategory(table, mine, { eventId });
    const hidden = await givenPrice(table, mine, { eventId, categoryId, showOnline: false });
    const response = await sendAsShop(operation, contract, { form: { price_id: String(hidden.priceId) } });
    expectCode(response, 400, 'resource_missing');
  });
}

const tokens = new Map<string, Promise<StorefrontTokenRecord>>();

/** One token for all cases of a run. */
function storefrontToken(contract: ContractGetter): Promise<StorefrontTokenRecord> {
  const token = tokens.get(mine) ?? givenStorefrontToken(contract().service.table, mine, { maxHeld: 100_000 });
  tokens.set(mine, token);
  return token;
}

/** A request of a buyer, who has the token of the basket. */
async function sendAsShop(operation: Operation, contract: ContractGetter, change: Request): Promise<ServiceResponse> {
  const token = await storefrontToken(contract);
  const params = change.params ?? paramsOf(operation, mine);
  const basketToken = 'basket_id' in params && (await basketTokenFor(contract().service.table, token, params));
  const { withdrawal_id: withdrawalId } = params;
  const isToConfirm = withdrawalId !== undefined && 'confirm_token' in operation.input.body.entries;
  const confirmToken =
    isToConfirm &&
    confirmWithdrawalTokenOf(...(await keyOf(contract().service.table, token)), contractWithdrawal(withdrawalId));
  const confirmation = typeof confirmToken === 'string' && { confirm_token: confirmToken };
  const body = formOf({ ...shopBodyOf(operation, mine), ...confirmation, ...change.form });
  const isOfFan = operation.auth.ssoUser === 'linked_on_pages' || 'entry_id' in params;
  const headers = {
    ...(body !== '' && formType),
    ...(typeof basketToken === 'string' && { 'X-Basket-Token': basketToken }),
    ...(isOfFan && { 'X-SSO-Token': fanToken }),
    ...change.headers,
  };
  return contract().send(operation, {
    key: token.text,
    body: body === '' ? undefined : body,
    ...change,
    params,
    headers,
  });
}

/** The fixture writes baskets directly, so their tokens are made from the key of the storefront token. */
async function basketTokenFor(
  table: Table,
  token: StorefrontTokenRecord,
  { basket_id }: Record<string, string>,
): Promise<string> {
  return basketTokenOf(...(await keyOf(table, token)), Number(basket_id));
}

async function keyOf(table: Table, { tokenId, text }: StorefrontTokenRecord): Promise<[Uint8Array, string]> {
  const orgId = `org_${text.split('_')[2]}`;
  const Key = storefrontTokenKey(orgId, tokenId);
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  const { basketKey } = v.parse(v.object({ basketKey: v.instance(Uint8Array) }), Item);
  return [basketKey, orgId];
}

function expectCode(response: ServiceResponse, status: number, code: string): void {
  expect(response.body).toMatchObject({ error: { code, request_id: response.headers.get('Request-Id') } });
  expect(response.status).toBe(status);
  expect(v.safeParse(ErrorEnvelope, response.body).success).toBe(true);
}
