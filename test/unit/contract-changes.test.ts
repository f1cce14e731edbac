import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breakingChanges } from '../../tools/contract/breaking-changes.ts';
import { contractOf, releasedContractFile } from '../../tools/contract/released-contract.ts';

const read = (file: URL | string) => readFileSync(new URL(file, import.meta.url), 'utf8');

const released = {
  paths: {
    '/v1/tickets/{id}': {
      get: {
        operationId: 'retrieve-ticket',
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { type: 'string', maxLength: 20 } },
          { in: 'query', name: 'sort', schema: { type: 'string', enum: ['asc', 'desc'] } },
        ],
        responses: {
          200: {
            headers: { ETag: {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Ticket' } } },
          },
          404: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        },
      },
      patch: {
        operationId: 'change-ticket',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } } },
        responses: { 204: {} },
      },
    },
  },
  webhooks: {
    'ticket.scanned': {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Ticket' } } } } },
    },
  },
  components: {
    schemas: {
      Ticket: {
        type: 'object',
        properties: { id: { type: 'integer' }, title: { type: 'string' }, status: { type: 'string', enum: ['ok'] } },
        required: ['id', 'title'],
      },
      Change: {
        type: 'object',
        properties: { name: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] }, note: { type: 'string' } },
        required: [],
        additionalProperties: false,
      },
      Problem: {
        type: 'object',
        properties: { error: { type: 'object', properties: { code: { enum: ['missing', 'gone'] } } } },
      },
    },
  },
};

/** The released contract after a change of its text. */
const changed = (from: string, to: string): Record<string, unknown> => {
  const text = JSON.stringify(released);
  if (!text.includes(from)) throw new Error(`The contract does not contain ${from}.`);
  return JSON.parse(text.replaceAll(from, to));
};

describe('contract of the last release', () => {
  it('is kept, or each breaking change is acknowledged in the changelog, quoted as here', () => {
    const [unreleased = ''] = read('../../CHANGELOG.md').split(/^## (?!Unreleased)/m);
    const changes = breakingChanges(
      JSON.parse(read(releasedContractFile)),
      JSON.parse(read('../../docs/openapi.json')),
    );
    expect(changes.filter((change) => !unreleased.includes(`\`${change}\``))).toEqual([]);
  });

  it('has no texts, and properties that are named like texts', () => {
    const title = { type: 'string', description: 'The title.' };
    const contract = contractOf({ paths: { '/x': { summary: 'X' } }, components: { properties: { title } } });
    expect(JSON.stringify(contract)).toBe(
      '{"paths":{"/x":{}},"components":{"properties":{"title":{"type":"string"}}}}',
    );
  });

  it.each([
    ['nothing', '"ETag"', '"ETag"', []],
    ['a new field of a response', '"id":{"type":"integer"}', '"id":{"type":"integer"},"new":{"type":"string"}', []],
    ['a new value of a response', '"enum":["ok"]', '"enum":["ok","used"]', []],
    ['an optional new field of a request', '"note":', '"new":{"type":"string"},"note":', []],
    ['a wider field of a request', '"minLength":1', '"minLength":0', []],
    [
      'a path',
      '/v1/tickets/',
      '/v2/tickets/',
      ['GET /v1/tickets/{id}: was removed', 'PATCH /v1/tickets/{id}: was removed'],
    ],
    ['an operation id', 'change-ticket', 'edit-ticket', ['PATCH /v1/tickets/{id}: operationId changed to edit-ticket']],
    [
      'a field of a response and of a webhook',
      '"title":{"type":"string"},',
      '',
      [
        'GET /v1/tickets/{id}: response 200 application/json title: was removed',
        'webhook ticket.scanned: body application/json title: was removed',
      ],
    ],
    [
      'a field that can be missing',
      '"required":["id","title"]',
      '"required":["id"]',
      [
        'GET /v1/tickets/{id}: response 200 application/json title: can be missing now',
        'webhook ticket.scanned: body application/json title: can be missing now',
      ],
    ],
    [
      'a field that can be null',
      '"id":{"type":"integer"}',
      '"id":{"type":["integer","null"]}',
      [
        'GET /v1/tickets/{id}: response 200 application/json id: can be null now',
        'webhook ticket.scanned: body application/json id: can be null now',
      ],
    ],
    [
      'an error code',
      '"missing","gone"',
      '"missing"',
      ['GET /v1/tickets/{id}: response 404 application/json error.code: gone was removed'],
    ],
    ['a response header', '"ETag":{}', '', ['GET /v1/tickets/{id}: response 200 header ETag: was removed']],
    ['a status', '"404":', '"410":', ['GET /v1/tickets/{id}: response 404: was removed']],
    [
      'a value of a parameter',
      '"asc","desc"',
      '"asc"',
      ['GET /v1/tickets/{id}: query parameter sort: "desc" is not accepted any more'],
    ],
    [
      'a shorter parameter',
      '"maxLength":20',
      '"maxLength":10',
      ['GET /v1/tickets/{id}: path parameter id: maxLength changed'],
    ],
    [
      'a parameter that is required',
      '"name":"sort"',
      '"name":"sort","required":true',
      ['GET /v1/tickets/{id}: query parameter sort: is required now'],
    ],
    [
      'a field of a request',
      '"note":{"type":"string"}',
      '"memo":{"type":"string"}',
      ['PATCH /v1/tickets/{id}: request application/json note: was removed'],
    ],
    [
      'null in a request',
      ',{"type":"null"}',
      '',
      ['PATCH /v1/tickets/{id}: request application/json name: null is not accepted any more'],
    ],
    [
      'a required field of a request',
      '"required":[]',
      '"required":["name"]',
      ['PATCH /v1/tickets/{id}: request application/json name: is required now'],
    ],
  ])('is compared: %s', (_what, from, to, expected) => {
    expect(breakingChanges(released, changed(from, to))).toEqual(expected);
  });

  it('keeps a header that the document states once for every response', () => {
    const current = { ...changed('"ETag":{}', ''), 'x-response-headers': { ETag: {} } };
    expect(breakingChanges(released, current)).toEqual([]);
    expect(contractOf(current)).toHaveProperty('x-response-headers.ETag');
  });
});
