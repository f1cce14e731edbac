import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { StorefrontTokenRecord } from '../../shared/data/admin/storefront-tokens.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { maxSimpleFormBytes } from '../../shared/operations/simple-form.ts';
import { formOf, formType, paramsOf, shopBodyOf } from '../../tools/fixtures/contract/examples.ts';
import { deployment } from '../../tools/fixtures/deployment.ts';
import { makeGateToken } from '../../tools/fixtures/signing-key.ts';
import { shopOrigin } from '../../tools/fixtures/storefront.ts';
import type { ServiceResponse } from '../support/service.ts';
import { itIf } from '../support/thorough.ts';
import { type ContractGetter, expectProblem, mine, pipelineTest, type Request } from './contract.ts';
import { expectReadable } from './expectations.ts';

interface Shop {
  readonly token: StorefrontTokenRecord;
  readonly basketToken: string | undefined;
}

interface Page {
  readonly operation: Operation;
  readonly contract: ContractGetter;
  shop(params: Record<string, string>): Promise<Shop>;
}

type Fields = Record<string, string | undefined>;

const hasBasket = ({ input }: Operation): boolean => 'basket_id' in input.params.entries;

/** Sends a form as a page does: without a header that needs a preflight request. Undefined leaves a field out. */
async function post(page: Page, fields: Fields = {}, { headers, ...rest }: Request = {}): Promise<ServiceResponse> {
  const { operation, contract } = page;
  const params = paramsOf(operation, mine);
  const { token, basketToken } = await page.shop(params);
  const sent = { ...shopBodyOf(operation, mine), storefront_token: token.text, basket_token: basketToken, ...fields };
  const body = formOf(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)));
  const request = { key: undefined, params, body, ...rest, headers: { ...formType, Origin: shopOrigin, ...headers } };
  return contract().send(operation, request);
}

/** What every operation of a purchase does with tokens in the fields of a form, which a browser sends without a preflight request. */
export function describeSimpleForms(page: Page): void {
  const { operation, contract } = page;

  it('accepts the tokens of a page as fields of a form', async () => {
    const response = await post(page);
    expect([response.status, response.body]).toMatchObject([operation.output.status, {}]);
    expectReadable(response, shopOrigin);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    expect((await post(page, {}, { headers })).status).toBe(operation.output.status);
  });

  pipelineTest(operation, 'refuses a form with tokens that no page of an allowed origin sent', async () => {
    const { token } = await page.shop(paramsOf(operation, mine));
    const withoutOrigin = { key: undefined, body: `storefront_token=${token.text}`, headers: formType };
    expectProblem(await contract().send(operation, withoutOrigin), 403, 'origin_not_allowed', 'Origin');
    for (const Origin of ['https://evil.example.com', 'null', '']) {
      expectProblem(await post(page, {}, { headers: { Origin } }), 403, 'origin_not_allowed', 'Origin');
    }
  });

  it('refuses tokens in headers and in fields at the same time', async () => {
    const { token } = await page.shop(paramsOf(operation, mine));
    const body = formOf({ ...shopBodyOf(operation, mine), storefront_token: token.text });
    const withKey = await contract().send(operation, { body, headers: formType });
    expectProblem(withKey, 400, 'parameter_unknown', 'storefront_token');
    const withToken = await post(page, { basket_token: undefined }, { key: token.text });
    if (hasBasket(operation)) expectProblem(withToken, 404, 'resource_not_found');
    else expectProblem(withToken, 400, 'parameter_unknown', 'storefront_token');
    const mixed = await post(page, {}, { headers: { 'X-Basket-Token': 'x' } });
    expectProblem(mixed, 400, 'parameter_unknown', 'X-Basket-Token');
  });

  pipelineTest(operation, 'limits a form with tokens to 16 KB', async () => {
    const { token } = await page.shop(paramsOf(operation, mine));
    const start = `storefront_token=${token.text}&x=`;
    const sized = (bytes: number) => ({ body: start + 'x'.repeat(bytes - start.length) });
    expectProblem(await post(page, {}, sized(maxSimpleFormBytes + 1)), 413, 'body_too_large');
    expect((await post(page, {}, sized(maxSimpleFormBytes))).status).not.toBe(413);
    // Without the field it is the request of a stranger.
    const body = `x=${'x'.repeat(maxSimpleFormBytes)}`;
    expectProblem(await post(page, {}, { body }), 401, 'api_key_missing');
  });

  describeOtherTokens(page);
  if (hasBasket(operation)) describeFormReceipts(page);
}

function describeOtherTokens(page: Page): void {
  const { operation, contract } = page;

  pipelineTest(operation, 'refuses every other token in the fields of a form', async () => {
    const { token } = await page.shop(paramsOf(operation, mine));
    const inForm = (text: string) => post(page, { storefront_token: text });
    expectProblem(await inForm(contract().key), 403, 'secret_key_in_browser', 'storefront_token');
    const malformed = ['', token.text.slice(0, -1), `Bearer ${token.text}`, makeGateToken(mine, '1').text];
    for (const text of malformed) expectProblem(await inForm(text), 401, 'api_key_malformed');
    const twice = { body: `storefront_token=${token.text}&storefront_token=${token.text}` };
    expectProblem(await post(page, {}, twice), 401, 'api_key_malformed');
    expectProblem(await post(page, { sso_token: 'eyJhbGciOiJSUzI1NiJ9' }), 400, 'parameter_unknown', 'sso_token');
  });

  itIf(hasBasket(operation))('refuses a form without the token of its basket', async () => {
    for (const basket_token of [undefined, '', 'x', `gl_basket_${'0'.repeat(43)}`]) {
      expectProblem(await post(page, { basket_token }), 404, 'resource_not_found');
    }
  });

  itIf(!hasBasket(operation))('refuses tokens of a basket that the path does not name', async () => {
    for (const name of ['idempotency_key', 'basket_token']) {
      expectProblem(await post(page, { [name]: 'x' }), 400, 'parameter_unknown', name);
    }
  });

  pipelineTest(operation, 'reads tokens from no other body and from no query', async () => {
    const { token, basketToken } = await page.shop(paramsOf(operation, mine));
    const fields = { ...shopBodyOf(operation, mine), storefront_token: token.text, basket_token: basketToken };
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const sent = { body: JSON.stringify(fields), headers: { 'Content-Type': type } };
      expectProblem(await post(page, {}, sent), 401, 'api_key_missing');
    }
    const query = { storefront_token: token.text };
    expectProblem(await post(page, { storefront_token: undefined }, { query }), 401, 'api_key_missing');
    expectProblem(await post(page, {}, { query }), 400, 'parameter_unknown', 'storefront_token');
  });
}

function describeFormReceipts(page: Page): void {
  const { operation, contract } = page;

  it('runs once for each idempotency_key of a form, and neither stores nor prints a token', async () => {
    const { service } = contract();
    service.logs.length = 0;
    const params = paramsOf(operation, mine);
    const { token, basketToken = '' } = await page.shop(params);
    const tokens = { storefront_token: token.text, basket_token: basketToken };
    const body = formOf({ ...shopBodyOf(operation, mine), ...tokens, idempotency_key: `form-${operation.id}` });
    const request = { key: undefined, params, body, headers: { ...formType, Origin: shopOrigin } };
    const first = await contract().send(operation, request);
    const second = await contract().send(operation, request);
    expect([first.status, second.status]).toEqual([operation.output.status, operation.output.status]);
    expect(second.headers.get('Idempotency-Replayed')).toBe(operation.output.isStored ? 'true' : null);
    const both = { ...request, headers: { ...request.headers, 'Idempotency-Key': 'x' } };
    expectProblem(await contract().send(operation, both), 400, 'parameter_repeated', 'Idempotency-Key');
    const { Items = [] } = await service.table.client.send(new ScanCommand({ TableName: service.table.name }));
    // The token's own row has its text, for the CLI.
    const stored = JSON.stringify(Items.filter(({ pk }) => !String(pk).startsWith('PUB#')));
    const printed = service.logs.join('\n');
    // The log of a deployment is not read.
    if (deployment === undefined) expect(printed).toContain(operation.id);
    for (const secret of [token.text, basketToken]) {
      expect(printed).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });
}
