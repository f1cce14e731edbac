import { expect, test } from 'vitest';
import { readMappingTemplate } from '../../local/cloud/api-gateway/mapping-template.ts';

const branch = (pattern: string, result: string) => `if($input.params("proxy").matches("${pattern}"))${result}`;
const template = `{"a":"#${branch('x/[^/]+/?', 'one')}#else${branch('x', 'two')}#{else}none#end","id":"$context.extendedRequestId"}`;

test.each([
  ['x/7', 'one'],
  ['x/7/', 'one'],
  ['x', 'two'],
  ['x/7/8', 'none'],
  ['a/x', 'none'],
])('a mapping template compares the whole path: %s is %s', (proxy, a) => {
  const render = readMappingTemplate('ANY /{proxy+}', template);
  expect(JSON.parse(render({ requestId: 'r', pathParameters: { proxy } }))).toEqual({ a, id: 'r' });
});

test.each([
  ['$input.body', '$input.body'],
  ['#set($a = 1)', '#set($a = 1)'],
  ['$context.httpMethod', '$context.httpMethod'],
  ['#if($input.params("proxy") == "x")a#{else}b#end', '$input.params("proxy") == "x"'],
])('a mapping template with %s stops the start', (unsupported, named) => {
  expect(() => readMappingTemplate('ANY /{proxy+}', unsupported)).toThrow(named);
});
