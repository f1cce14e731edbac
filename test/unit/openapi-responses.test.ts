import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { problemCodes, problems } from '../../shared/operations/problems.ts';
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
const Coded = v.object({
  properties: v.looseObject({
    error: v.object({ properties: v.looseObject({ code: v.object({ enum: v.array(v.string()) }) }) }),
  }),
  required: v.array(v.string()),
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
        content: v.optional(v.record(v.string(), v.looseObject({ schema: v.looseObject({}) })), {}),
      }),
    ),
    examples: v.record(v.string(), v.looseObject({})),
    schemas: v.record(
      v.string(),
      v.looseObject({ discriminator: v.optional(v.looseObject({ propertyName: v.string() })) }),
    ),
  }),
});
const text = readFileSync('docs/openapi.json', 'utf8');
const { paths, components, webhooks, tags } = v.parse(Document, JSON.parse(text));
const { examples } = components;
const Example = v.object({
  summary: v.optional(v.string()),
  value: v.looseObject({ error: v.looseObject({ code: v.picklist(problemCodes), message: v.string() }) }),
});
const described = Object.values(paths).flatMap((methods) => Object.values(methods));

const nameOf = (reference: unknown): string => v.parse(Reference, reference).$ref.split('/').at(-1) ?? '';

const responsesOf = (operationId: string) =>
  described.find((operation) => operation.operationId === operationId)?.responses;

/** The variants of an error response of an operation: one with all codes that say no more, and one for each that does. */
function variantsOf(operationId: string, status: string): readonly v.InferOutput<typeof Coded>[] {
  const response = components.responses[nameOf(responsesOf(operationId)?.[status])];
  const schema = components.schemas[nameOf(response?.content['application/json']?.schema)];
  const variants = v.parse(v.object({ anyOf: v.optional(v.array(v.looseObject({})), [schema ?? {}]) }), schema).anyOf;
  return variants.map((one) => v.parse(Coded, '$ref' in one ? components.schemas[nameOf(one)] : one));
}

const codesIn = ({ properties }: v.InferOutput<typeof Coded>) => properties.error.properties.code.enum;
const codesOf = (operationId: string, status: string) => variantsOf(operationId, status).flatMap(codesIn);

it('every operation documents the failures of API Gateway itself as a 503 to repeat with the same Idempotency-Key', () => {
  expect(described.length).toBeGreaterThan(30);
  for (const { responses } of described) {
    expect(Object.keys(responses)).toContain('503');
    expect(Object.keys(responses)).not.toContain('502');
    expect(Object.keys(responses)).not.toContain('504');
  }
  expect(examples.dependency_unavailable).toMatchObject({
    value: { error: { message: expect.stringContaining('with the same Idempotency-Key') } },
  });
});

it('an error response states the codes of its operation and no others', () => {
  expect(codesOf('retrieve-basket', '404')).toEqual(['resource_not_found', 'route_not_found']);
  expect(codesOf('check-out-basket', '402')).toEqual(['card_declined', 'payment_refused', 'payment_action_required']);
  expect(codesOf('cancel-basket', '409')).toEqual(['basket_already_checked_out', 'checkout_in_progress']);
  expect(codesOf('list-customers', '400')).not.toContain('body_invalid');
  expect(codesOf('create-member', '400')).toContain('resource_missing');
  expect(codesOf('health', '429')).toEqual(['throttled']);
});

const extras = [
  ['payment', 'Payment', ['payment_action_required']],
  ['phase', 'RefusedPhase', ['phase_not_open', 'not_eligible']],
  ['seats', 'RefusedSeats', ['seat_taken', 'leaves_single_seat']],
  ['available_from', undefined, ['events_expired']],
] as const;

const errorVariants = described.flatMap(({ operationId, responses }) =>
  Object.keys(responses)
    .filter((status) => status >= '400')
    .flatMap((status) =>
      variantsOf(operationId, status).map((variant) => ({ where: `${operationId} ${status}`, variant })),
    ),
);

it.each(extras)('an error with %s has a schema of its own, which requires it', (extra, title, codes) => {
  const having = errorVariants.filter(({ variant }) => extra in variant.properties);
  for (const { where, variant } of having) {
    const schema = title === undefined ? { type: 'integer' } : { $ref: `#/components/schemas/${title}` };
    expect(variant.properties[extra], where).toMatchObject(schema);
    expect(variant.required, where).toContain(extra);
    expect(codesIn(variant), where).toHaveLength(1);
  }
  expect([...new Set(having.flatMap(({ variant }) => codesIn(variant)))].sort()).toEqual([...codes].sort());
  for (const code of codes) expect(examples[code]).toMatchObject({ value: { [extra]: expect.anything() } });
});

it.each(extras)('no error has %s but those that require it', (extra, _title, codes) => {
  const without = errorVariants.filter(({ variant }) => !(extra in variant.properties));
  const found = without.filter(({ variant }) => codesIn(variant).some((code) => codes.some((one) => one === code)));
  expect(found).toEqual([]);
});

it('the document shares what operations have in common: below 1 MB, 7 KB for an operation, and few error responses', () => {
  const bytes = Buffer.byteLength(JSON.stringify(JSON.parse(text)));
  expect(bytes).toBeLessThan(1_000_000);
  expect(bytes / described.length).toBeLessThan(7_000);
  const errors = Object.keys(components.responses).filter((name) => /\d{3}$/.test(name));
  expect(errors.length).toBeLessThan(operations.length);
});

it('a header of every response that browsers and caches read is stated once, for readers and for programs', () => {
  const Stated = v.object({
    info: v.object({ description: v.string() }),
    'x-response-headers': v.record(v.string(), v.object({ description: v.string() })),
  });
  const { info, 'x-response-headers': stated } = v.parse(Stated, JSON.parse(text));
  for (const [name, { description }] of Object.entries(stated)) {
    expect(info.description).toContain(`| ${name} | ${description} |`);
    expect(JSON.stringify(JSON.parse(text))).not.toContain(`"${name}":{"$ref"`);
  }
  expect(Object.keys(stated)).toEqual(expect.arrayContaining(['RateLimit', 'Access-Control-Allow-Origin', 'Vary']));
});

it('every code that an operation can answer is in its response, with an example that says what it means', () => {
  for (const { id, output } of operations) {
    const responses = Object.keys(responsesOf(id) ?? {}).filter((status) => status >= '400');
    const documented = responses.flatMap((status) => codesOf(id, status).map((code) => `${status} ${code}`));
    expect(documented).toEqual(
      expect.arrayContaining(output.problems.map((code) => `${problems[code].status} ${code}`)),
    );
    for (const status of responses) {
      const response = components.responses[nameOf(responsesOf(id)?.[status])];
      const codes = codesOf(id, status);
      const { examples: named } = v.parse(
        v.object({ examples: v.record(v.string(), Reference) }),
        response?.content['application/json'],
      );
      expect(Object.keys(named).sort()).toEqual([...codes].sort());
      for (const [code, { $ref }] of Object.entries(named)) {
        const { summary, value } = v.parse(Example, examples[$ref.split('/').at(-1) ?? '']);
        expect(value.error.code).toBe(code);
        expect([summary, value.error.message]).toContain(problems[value.error.code].meaning);
      }
    }
  }
});

it('a create that can be tried documents the 200 of its dry run, and no other create does', () => {
  const with200 = operations.filter(({ id, output }) => output.status === 201 && '200' in (responsesOf(id) ?? {}));
  expect(with200.map(({ id }) => id).sort()).toEqual([
    'create-event',
    'create-membership-payment-option',
    'create-price',
    'create-seat-map',
    'create-venue',
  ]);
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

it('an alternative with fields has a name of its own: openapi-python-client loses one that has none', () => {
  const unnamed = Object.entries(components.schemas).filter(([, { anyOf }]) =>
    v.parse(v.array(v.looseObject({})), anyOf ?? []).some((one) => 'properties' in one),
  );
  expect(unnamed.map(([name]) => name)).toEqual([]);
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
  const successOf = (id: string, status: string) => {
    const response = responsesOf(id)?.[status] ?? {};
    return '$ref' in response ? components.responses[nameOf(response)] : response;
  };
  expect(successOf('open-basket', '201')).toMatchObject({ links: { 'add-basket-item': expect.anything() } });
  expect(successOf('add-basket-item', '200')).toMatchObject({ links: { 'check-out-basket': expect.anything() } });
  expect(successOf('check-out-basket', '201')).toMatchObject({ links: { 'retrieve-order': expect.anything() } });
  expect(successOf('retrieve-order', '200')).toMatchObject({ links: { 'refund-order': expect.anything() } });
  expect(successOf('refund-order', '201')).toMatchObject({ links: { 'list-order-refunds': expect.anything() } });
});
