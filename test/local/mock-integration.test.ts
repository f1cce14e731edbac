import * as v from 'valibot';
import { expect, test } from 'vitest';
import { MockIntegration, readMockResponse } from '../../local/cloud/api-gateway/mock-integration.ts';

const mock = (value: string) =>
  v.parse(MockIntegration, {
    type: 'mock',
    passthroughBehavior: 'never',
    requestTemplates: { 'application/json': '{"statusCode":204}' },
    responses: { default: { statusCode: '204', responseParameters: { 'method.response.header.X-A': value } } },
  });
const declared = { 204: { headers: { 'X-A': {} } } };

test('a mock integration answers with its status and its literal headers', () => {
  expect(readMockResponse('OPTIONS /', mock("'one, two'"), declared)).toEqual({
    status: 204,
    headers: { 'X-A': 'one, two' },
    requestIdHeaders: [],
    contentTypes: ['application/json'],
    body: undefined,
  });
});

test('a mock integration that sets a header which its response does not declare stops the start', () => {
  expect(() => readMockResponse('OPTIONS /', mock("'1'"), { 204: { headers: {} } })).toThrow(
    'The route OPTIONS / sets the header X-A, which its response 204 does not declare',
  );
});

test('a mock integration with a computed header stops the start', () => {
  expect(() => readMockResponse('OPTIONS /', mock('context.stage'), declared)).toThrow(
    'The route OPTIONS / has an unsupported response parameter: method.response.header.X-A = context.stage',
  );
});

test('a mock integration answers with the id of the request', () => {
  expect(readMockResponse('OPTIONS /', mock('context.extendedRequestId'), declared)).toMatchObject({
    requestIdHeaders: ['X-A'],
  });
});

test.each([{ passthroughBehavior: 'when_no_match' }, { requestTemplates: { 'application/json': '{}' } }])(
  'a mock integration with %o stops the start',
  (change) => {
    expect(v.is(MockIntegration, { ...mock("'1'"), ...change })).toBe(false);
  },
);
