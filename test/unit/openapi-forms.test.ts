import { expect, it } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';

it('the OpenAPI document says how a form nests an object, and says nothing where there is none', () => {
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
