import { expect, it } from 'vitest';
import { issueGateToken } from '../../shared/data/admin/gate-tokens.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { eventIdOf } from '../../tools/fixtures/contract/contract-fixture.ts';
import { formHeader, paramsOf, pathOf } from '../../tools/fixtures/contract/examples.ts';
import { farFutureUnix } from '../../tools/fixtures/events.ts';
import { makeGateToken, makeKey } from '../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import type { ServiceResponse } from '../support/service.ts';
import { itIf } from '../support/thorough.ts';
import { type ContractGetter, expectProblem, mine, pipelineTest, refusals } from './contract.ts';
import { expectReadable } from './expectations.ts';

/** What a page in a browser may send to every operation, and which of its responses the page may read. */
export function describeCors(operation: Operation, contract: ContractGetter): void {
  const asked = refusals(operation, 'preflight', operation.paths);
  itIf(asked.length > 0).each(asked)('answers a preflight request at %s', async (path) => {
    const { status, headers, body } = await contract().service.call(pathOf(path, paramsOf(operation, mine)), {
      method: 'OPTIONS',
      headers: { Origin: shopOrigin, 'Access-Control-Request-Method': operation.method },
    });
    expect([status, body]).toEqual([204, undefined]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-SSO-Token, X-Basket-Token',
      'access-control-max-age': '7200',
      'x-ratelimit-remaining': '300',
      'request-id': expect.stringMatching(/^\S{10,}$/),
    });
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['300', '300']);
  });

  if (operation.auth.kind === 'public') {
    it('lets every page read its response', async () => {
      expectReadable(await contract().send(operation), '*');
    });
    return;
  }

  pipelineTest(operation, 'lets every page read why a request without a valid key is refused', async () => {
    expectReadable(await contract().send(operation, { key: undefined }), '*');
    expectReadable(await contract().send(operation, { key: makeKey('live', mine, '1').text }), '*');
  });

  pipelineTest(operation, 'lets every page read that a secret key does not belong in a browser', async () => {
    const response = await contract().send(operation, { headers: { Origin: shopOrigin } });
    expectProblem(response, 403, 'secret_key_in_browser', 'Origin');
    expectReadable(response, '*');
  });

  if (operation.auth.storefront === undefined)
    pipelineTest(operation, 'lets every page read why a storefront token is refused', async () => {
      const { text: key } = await givenStorefrontToken(contract().service.table, mine);
      const refused = await contract().send(operation, { key, headers: { Origin: shopOrigin } });
      expectProblem(refused, 403, 'storefront_not_allowed');
      expectReadable(refused, '*');
    });
  else
    pipelineTest(operation, 'lets only the pages of a storefront token read the response', async () => {
      const { text: key } = await givenStorefrontToken(contract().service.table, mine);
      const other = await contract().send(operation, { key, headers: { Origin: 'https://other.example.com' } });
      expectProblem(other, 403, 'origin_not_allowed', 'Origin');
      expectReadable(other, '*');
      const withoutOrigin = await contract().send(operation, { key });
      expectReadable(withoutOrigin, null);
      expect(withoutOrigin.headers.get('Vary')).toBe(varyOf(operation.auth));
    });

  const test = operation.auth.gates === true ? it : pipelineTest.bind(undefined, operation);
  test('lets every page read the response to a gate token, or why it is refused', async () => {
    const key = await gateToken(contract);
    const headers = { Origin: shopOrigin, ...formHeader(operation) };
    const answered = await contract().send(operation, { key, headers });
    if (operation.auth.gates) expect(answered.status).toBe(operation.output.status);
    else expectProblem(answered, 403, 'gate_token_not_allowed');
    expectReadable(answered, '*');
    const refused = await contract().send(operation, { key, query: { no_such_parameter: '1' } });
    expect(refused.status).toBe(operation.auth.gates ? 400 : 403);
    expectReadable(refused, '*');
  });

  pipelineTest(operation, 'lets no page read a response to a secret key', async () => {
    expectReadable(await contract().send(operation), null);
    expectReadable(await contract().send(operation, { query: { no_such_parameter: '1' } }), null);
  });
}

/** Checks that the page of a storefront token may read the response, and how long it and its caches keep it. */
export function expectForShop({ auth }: Operation, response: ServiceResponse): void {
  const { catalogue: isCached = false, keptSeconds = 10 } = auth.storefront ?? {};
  expectReadable(response, shopOrigin);
  expect(response.headers.get('Vary')).toBe(varyOf(auth));
  expect(response.headers.get('Cache-Control')).toBe(isCached ? `private, max-age=${keptSeconds}` : 'no-store');
}

const varyOf = ({ storefront, ssoUser }: Operation['auth']): string =>
  `Origin, Authorization${storefront?.catalogue && ssoUser ? ', X-SSO-Token' : ''}`;

let issuedGateToken: Promise<{ readonly text: string }> | undefined;

/** One token for all cases of a run, valid for every operation that accepts gate tokens. */
async function gateToken(contract: ContractGetter): Promise<string> {
  const times = { createdUnix: 0, expiresUnix: farFutureUnix };
  const fields = { label: null, gates: 'all', events: [eventIdOf(mine)], offline: true, ...times } as const;
  issuedGateToken ??= issueGateToken(contract().service.table, mine, fields, makeGateToken);
  return (await issuedGateToken).text;
}
