import { describe, expect, test } from 'vitest';
import { compileEventPattern } from '../../local/cloud/eventbridge/event-pattern.ts';

const event = {
  source: 'gateline',
  'detail-type': 'order.placed',
  account: '000000000000',
  detail: {
    amount: 250,
    currency: 'AUD',
    gift: false,
    note: null,
    tags: ['vip', 'early'],
    lines: [{ sku: 'adult' }, { sku: 'child' }],
    customer: { email: 'Ada@Example.com' },
  },
};

const matching: [string, unknown][] = [
  ['an exact value', { source: ['gateline'] }],
  ['one of several values', { source: ['other', 'gateline'] }],
  ['a number, a boolean and null', { detail: { amount: [250], gift: [false], note: [null] } }],
  ['a value in a list', { detail: { tags: ['vip'] } }],
  ['a field of an object in a list', { detail: { lines: { sku: ['child'] } } }],
  ['a prefix', { 'detail-type': [{ prefix: 'order.' }] }],
  ['a suffix', { 'detail-type': [{ suffix: '.placed' }] }],
  [
    'a prefix without regard to case',
    { detail: { customer: { email: [{ prefix: { 'equals-ignore-case': 'ada@' } }] } } },
  ],
  ['a text without regard to case', { detail: { customer: { email: [{ 'equals-ignore-case': 'ada@example.COM' }] } } }],
  ['a wildcard', { detail: { customer: { email: [{ wildcard: '*@*.com' }] } } }],
  ['anything but a value', { source: [{ 'anything-but': 'aws.events' }] }],
  ['anything but several values', { detail: { amount: [{ 'anything-but': [1, 2] }] } }],
  ['anything but a prefix', { source: [{ 'anything-but': { prefix: 'aws.' } }] }],
  ['a range of numbers', { detail: { amount: [{ numeric: ['>', 0, '<=', 250] }] } }],
  ['a field that exists', { detail: { currency: [{ exists: true }] } }],
  ['a field that does not exist', { detail: { coupon: [{ exists: false }] } }],
  ['a nested field that does not exist', { detail: { payment: { id: [{ exists: false }] } } }],
  ['one of two alternatives', { $or: [{ source: ['x'] }, { detail: { amount: [{ numeric: ['>', 100] }] } }] }],
  [
    'an alternative together with a field',
    { source: ['gateline'], $or: [{ account: ['1'] }, { account: ['000000000000'] }] },
  ],
];

const notMatching: [string, unknown][] = [
  ['another value', { source: ['other'] }],
  ['a number written as text', { detail: { amount: ['250'] } }],
  ['an absent field', { detail: { coupon: ['x'] } }],
  ['null for an absent field', { detail: { coupon: [null] } }],
  ['one of two fields only', { source: ['gateline'], account: ['1'] }],
  ['another prefix', { 'detail-type': [{ prefix: 'member.' }] }],
  ['a prefix of a number', { detail: { amount: [{ prefix: '2' }] } }],
  ['a wildcard that must match to the end', { 'detail-type': [{ wildcard: 'order.*d.' }] }],
  ['anything but this value', { source: [{ 'anything-but': ['gateline'] }] }],
  ['anything but this prefix', { 'detail-type': [{ 'anything-but': { prefix: 'order.' } }] }],
  ['anything but, for an absent field', { detail: { coupon: [{ 'anything-but': 'x' }] } }],
  ['a range that ends before', { detail: { amount: [{ numeric: ['>', 0, '<', 250] }] } }],
  ['a field that exists but should not', { detail: { currency: [{ exists: false }] } }],
  ['a field that should exist', { detail: { coupon: [{ exists: true }] } }],
  ['neither of two alternatives', { $or: [{ source: ['x'] }, { account: ['1'] }] }],
];

const invalid: [string, unknown, RegExp][] = [
  ['without a field', {}, /with at least one field/],
  ['with a bare value', { source: 'gateline' }, /source needs a list/],
  ['with an empty list', { detail: { id: [] } }, /detail\.id needs a list/],
  ['with an unknown operator', { source: [{ regex: '.*' }] }, /source has the unsupported operator regex/],
  ['with two operators in one item', { source: [{ prefix: 'a', suffix: 'b' }] }, /one operator per item/],
  ['with an incomplete range', { detail: { n: [{ numeric: ['>'] }] } }, /detail\.n needs pairs/],
  ['with an unknown comparison', { n: [{ numeric: ['~', 1] }] }, /comparison ~/],
  ['with one alternative only', { $or: [{ source: ['x'] }] }, /at least two patterns/],
  ['with a prefix that is not text', { source: [{ prefix: 1 }] }, /needs a string for prefix/],
];

describe('event pattern', () => {
  test.each(matching)('an event pattern matches %s', (_what, pattern) => {
    expect(compileEventPattern(pattern)(event)).toBe(true);
  });

  test.each(notMatching)('an event pattern does not match %s', (_what, pattern) => {
    expect(compileEventPattern(pattern)(event)).toBe(false);
  });

  test.each(invalid)('an event pattern %s is refused', (_what, pattern, message) => {
    expect(() => compileEventPattern(pattern)).toThrow(message);
  });

  test('an event pattern reads a DynamoDB record as an event source filter does', () => {
    const matches = compileEventPattern({
      eventName: ['INSERT'],
      dynamodb: { NewImage: { pk: { S: [{ prefix: 'OUTBOX#' }] }, pending: { S: [{ exists: true }] } } },
    });
    const record = (NewImage: unknown, eventName = 'INSERT') => ({ eventName, dynamodb: { NewImage } });
    expect(matches(record({ pk: { S: 'OUTBOX#1' }, pending: { S: '1' } }))).toBe(true);
    expect(matches(record({ pk: { S: 'OUTBOX#1' } }))).toBe(false);
    expect(matches(record({ pk: { S: 'MEMBER#1' }, pending: { S: '1' } }))).toBe(false);
    expect(matches(record({ pk: { S: 'OUTBOX#1' }, pending: { S: '1' } }, 'MODIFY'))).toBe(false);
  });
});
