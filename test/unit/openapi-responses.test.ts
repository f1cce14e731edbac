import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { problemCodes } from '../../shared/operations/problems.ts';
import { operations } from '../../shared/operations/registry.ts';

const Reference = v.object({ $ref: v.string() });
const Described = v.looseObject({
  operationId: v.string(),
  description: v.string(),
  responses: v.record(
    v.string(),
    v.union([Reference, v.looseObject({ links: v.optional(v.record(v.string(), v.unknown())) })]),
  ),
});
const CodeSchema = v.object({
  properties: v.object({
    error: v.object({ properties: v.object({ code: v.object({ enum: v.array(v.string()) }) }) }),
  }),
});
const Document = v.object({
  paths: v.record(v.string(), v.record(v.string(), Described)),
  webhooks: v.record(v.string(), v.object({ post: v.looseObject({ tags: v.array(v.string()) }) })),
  tags: v.array(v.object({ name: v.string() })),
  components: v.looseObject({
    responses: v.record(
      v.string(),
      v.looseObject({
        description: v.string(),
        content: v.object({ 'application/json': v.looseObject({ schema: Reference }) }),
      }),
    ),
    schemas: v.record(
      v.string(),
      v.looseObject({ discriminator: v.optional(v.looseObject({ propertyName: v.string() })) }),
    ),
  }),
});
const text = readFileSync('docs/openapi.json', 'utf8');
const { paths, components, webhooks, tags } = v.parse(Document, JSON.parse(text));
const described = Object.values(paths).flatMap((methods) => Object.values(methods));

const nameOf = (reference: unknown): string => v.parse(Reference, reference).$ref.split('/').at(-1) ?? '';

const responsesOf = (operationId: string) =>
  described.find((operation) => operation.operationId === operationId)?.responses;

/** The codes of an error response of an operation. */
function codesOf(operationId: string, status: string): readonly string[] {
  const responses = described.find((operation) => operation.operationId === operationId)?.responses;
  const response = components.responses[nameOf(responses?.[status])];
  const schema = components.schemas[nameOf(response?.content['application/json'].schema)];
  return v.parse(CodeSchema, schema).properties.error.properties.code.enum;
}

it('every operation documents the failures of API Gateway itself as a 503 to repeat with the same Idempotency-Key', () => {
  expect(described.length).toBeGreaterThan(30);
  for (const { responses } of described) {
    expect(Object.keys(responses)).toContain('503');
    expect(Object.keys(responses)).not.toContain('502');
    expect(Object.keys(responses)).not.toContain('504');
  }
  expect(components.responses['503']?.description).toContain('with the same Idempotency-Key');
});

it('an error response states the codes of its operation and no others', () => {
  expect(codesOf('retrieve-basket', '404')).toEqual(['resource_not_found', 'route_not_found']);
  expect(codesOf('check-out-basket', '402')).toEqual(['card_declined', 'payment_refused', 'payment_action_required']);
  expect(codesOf('cancel-basket', '409')).toEqual(['basket_already_checked_out', 'checkout_in_progress']);
  expect(codesOf('list-customers', '400')).not.toContain('body_invalid');
  expect(codesOf('create-member', '400')).toContain('resource_missing');
  expect(codesOf('health', '429')).toEqual(['throttled']);
});

it('only the 402 of operations that pay have a payment, in its schema and in its example', () => {
  const Properties = v.object({ properties: v.looseObject({ payment: v.optional(v.unknown()) }) });
  const withPayment = Object.entries(components.responses).filter(([, { content }]) => {
    const schema = components.schemas[nameOf(content['application/json'].schema)];
    return v.parse(Properties, schema).properties.payment !== undefined;
  });
  expect(withPayment.map(([name]) => name)).toEqual(['check-out-basket-402', 'pay-instalment-402']);
  expect(components.schemas.CheckOutBasketError402).toMatchObject({
    properties: { payment: { $ref: '#/components/schemas/Payment' } },
    required: ['error'],
  });
  expect(components.responses['check-out-basket-402']?.content['application/json']).toMatchObject({
    examples: {
      payment_action_required: {
        value: { payment: { next_action: { redirect_to_url: { url: expect.stringContaining('https://') } } } },
      },
    },
  });
});

it('only errors about seats that are taken or left alone have seats in their schema', () => {
  const Properties = v.object({ properties: v.looseObject({ seats: v.optional(v.unknown()) }) });
  const withSeats = Object.entries(components.responses).filter(([, { content }]) => {
    const schema = components.schemas[nameOf(content['application/json'].schema)];
    return v.parse(Properties, schema).properties.seats !== undefined;
  });
  const operationsOf = withSeats.map(([name]) => name).sort();
  expect(operationsOf).toEqual(expect.arrayContaining(['add-basket-seats-409', 'create-seat-block-409']));
  expect(operationsOf).toEqual(expect.arrayContaining(['move-ticket-seat-409', 'set-member-seat-409']));
  expect(operationsOf.filter((name) => !name.endsWith('-409'))).toEqual([]);
  expect(components.schemas.AddBasketSeatsError409).toMatchObject({
    properties: { seats: { $ref: '#/components/schemas/RefusedSeats' } },
    required: ['error'],
  });
});

it('a create that can be tried documents the 200 of its dry run, and no other create does', () => {
  const with200 = operations.filter(({ id, output }) => output.status === 201 && '200' in (responsesOf(id) ?? {}));
  expect(with200.map(({ id }) => id).sort()).toEqual(['create-event', 'create-price', 'create-seat-map']);
});

it('every code of the service is documented by an operation', () => {
  const documented = new Set(
    described.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status >= '400')
        .flatMap((status) => codesOf(operationId, status)),
    ),
  );
  expect(problemCodes.filter((code) => !documented.has(code))).toEqual([]);
});

it('generated clients get distinct names: no two operation ids or types differ only in case or separators', () => {
  const plain = (name: string) => name.replaceAll(/\W/g, '').toLowerCase();
  const ids = [...described.map(({ operationId }) => plain(operationId)), ...Object.keys(webhooks).map(plain)];
  expect(ids).toEqual([...new Set(ids)]);
  const types = Object.keys(components.schemas).map(plain);
  expect(types).toEqual([...new Set(types)]);
  expect(ids.filter((id) => /\d$/.test(id))).toEqual([]);
});

it('a reference shows each operation once, and the text names its other path', () => {
  const shown = described.filter((operation) => operation['x-scalar-ignore'] !== true);
  expect(shown.map(({ operationId }) => operationId).sort()).toEqual(operations.map(({ id }) => id).sort());
  expect(shown.find(({ operationId }) => operationId === 'open-basket')?.description).toContain(
    '`/v1/baskets` and `/baskets` are the same operation.',
  );
});

it('webhooks have a tag of their own, and their union a discriminator', () => {
  expect(tags.map(({ name }) => name)).toContain('webhook-events');
  for (const { post } of Object.values(webhooks)) expect(post.tags).toEqual(['webhook-events']);
  expect(components.schemas.WebhookEvent?.discriminator).toMatchObject({
    propertyName: 'type',
    mapping: Object.fromEntries(Object.keys(webhooks).map((type) => [type, expect.stringMatching(/Event$/)])),
  });
});

it('no text contains HTML, which renderers drop', () => {
  const texts = [...text.matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(([, found = '']) => found);
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.filter((found) => /<\/?[a-z]/i.test(found))).toEqual([]);
});

it('every enum has a type, and no schema needs const', () => {
  expect(text).not.toContain('"const":');
  const untyped: unknown[] = [];
  JSON.parse(text, (_key, value) => {
    if (Array.isArray(value?.enum) && typeof value.type !== 'string') untyped.push(value);
    return value;
  });
  expect(untyped).toEqual([]);
});

it.each(operations.flatMap(({ id, output }) => output.links.map((link) => ({ id, ...link }))))(
  'the link from $id to $to gives every path parameter a value that exists',
  ({ id, to, params }) => {
    const source = operations.find((operation) => operation.id === id);
    const target = operations.find((operation) => operation.id === to);
    expect(Object.keys(params).sort()).toEqual(Object.keys(target?.input.params.entries ?? {}).sort());
    for (const expression of Object.values(params)) {
      const [, parameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
      if (parameter !== undefined) expect(Object.keys(source?.input.params.entries ?? {})).toContain(parameter);
      else expect(expression).toMatch(/^\$response\.body#\/\w+/);
    }
  },
);

it('links lead from the basket to the order and its refund', () => {
  const successOf = (id: string) => described.find(({ operationId }) => operationId === id)?.responses;
  expect(successOf('open-basket')?.['201']).toMatchObject({ links: { 'add-basket-item': expect.anything() } });
  expect(successOf('add-basket-item')?.['200']).toMatchObject({ links: { 'check-out-basket': expect.anything() } });
  expect(successOf('check-out-basket')?.['201']).toMatchObject({ links: { 'retrieve-order': expect.anything() } });
  expect(successOf('retrieve-order')?.['200']).toMatchObject({ links: { 'refund-order': expect.anything() } });
  expect(successOf('refund-order')?.['201']).toMatchObject({ links: { 'list-order-refunds': expect.anything() } });
});
