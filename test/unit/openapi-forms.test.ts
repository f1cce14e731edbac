import * as v from 'valibot';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';

it('the OpenAPI document describes how a form nests an object, and nothing where there is none', () => {
  const { paths } = openApiDocument([addBasketItem, checkOutBasket], 'https://api.example.com');
  const form = 'application/x-www-form-urlencoded';
  expect(paths).toMatchObject({
    '/v1/baskets/{basket_id}/checkout': {
      post: {
        requestBody: { content: { [form]: { encoding: { customer: { style: 'deepObject', explode: true } } } } },
      },
    },
    '/v1/baskets/{basket_id}/items': { post: { requestBody: { content: { [form]: { schema: expect.anything() } } } } },
  });
  expect(JSON.stringify(paths).split('"encoding"')).toHaveLength(1 + checkOutBasket.paths.length);
});

it('the OpenAPI document names Idempotency-Replayed on every response that can be replayed, including refusals', () => {
  const { components } = openApiDocument([checkOutBasket], 'https://api.example.com');
  const { responses } = v.parse(
    v.object({ responses: v.record(v.string(), v.object({ headers: v.looseObject({}) })) }),
    components,
  );
  const named = Object.keys(responses).filter((status) => 'Idempotency-Replayed' in (responses[status]?.headers ?? {}));
  expect(named).toEqual(['400', '402', '403', '404']);
});
