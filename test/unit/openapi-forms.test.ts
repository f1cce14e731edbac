import * as v from 'valibot';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';
import { createMember } from '../../shared/operations/members/create-member.ts';
import { setMemberSeat } from '../../shared/operations/members/set-member-seat.ts';
import { setOrderMetadata } from '../../shared/operations/orders/set-order-metadata.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { resolved } from '../support/openapi-inputs.ts';

it('the OpenAPI document describes how a form nests an object, and nothing where there is none', () => {
  const { paths } = resolved(openApiDocument([addBasketItem, checkOutBasket], 'https://api.example.com'));
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

it('the OpenAPI document describes how a form nests a map', () => {
  const { paths } = resolved(openApiDocument([setOrderMetadata], 'https://api.example.com'));
  const encoding = { metadata: { style: 'deepObject', explode: true } };
  expect(paths).toMatchObject({
    '/v1/orders/{order_id}/metadata': {
      put: { requestBody: { content: { 'application/x-www-form-urlencoded': { encoding } } } },
    },
  });
});

it('the OpenAPI document describes 0 and 1 as booleans of a form, and not of JSON', () => {
  const { paths } = resolved(openApiDocument([createMember], 'https://api.example.com'));
  const marketing = (schema: object) => ({
    schema: { properties: { marketing_emails: { default: false, ...schema } } },
  });
  expect(paths).toMatchObject({
    '/v1/members': {
      post: {
        requestBody: {
          content: {
            'application/json': marketing({ type: 'boolean' }),
            'application/x-www-form-urlencoded': marketing({
              anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }],
            }),
          },
        },
      },
    },
  });
});

it('the example of a form sends null as a form can, with an empty value', () => {
  const { paths } = resolved(openApiDocument([setMemberSeat], 'https://api.example.com'));
  expect(paths).toMatchObject({
    '/v1/members/{membership_member_id}/seat': {
      put: {
        requestBody: {
          content: {
            'application/json': { example: { seat: null } },
            'application/x-www-form-urlencoded': { example: { seat: '' } },
          },
        },
      },
    },
  });
});

it('the OpenAPI document describes JSON first, because tools take the first encoding', () => {
  const { paths } = resolved(openApiDocument([addBasketItem], 'https://api.example.com'));
  const { content } = v.parse(
    v.object({ '/v1/baskets/{basket_id}/items': v.object({ post: v.object({ requestBody: v.looseObject({}) }) }) }),
    paths,
  )['/v1/baskets/{basket_id}/items'].post.requestBody;
  expect(Object.keys(fieldsOf(content))).toEqual(['application/json', 'application/x-www-form-urlencoded']);
});

it('the OpenAPI document names Idempotency-Replayed on every response that can be replayed, including refusals', () => {
  const { components } = openApiDocument([checkOutBasket], 'https://api.example.com');
  const { responses } = v.parse(
    v.object({ responses: v.record(v.string(), v.object({ headers: v.optional(v.looseObject({}), {}) })) }),
    components,
  );
  const named = Object.keys(responses).filter((name) => 'Idempotency-Replayed' in (responses[name]?.headers ?? {}));
  expect(named.sort()).toEqual([
    '404',
    'check-out-basket',
    'check-out-basket-400',
    'check-out-basket-402',
    'check-out-basket-403',
  ]);
});
