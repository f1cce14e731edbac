import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromAttributes, toAttributes } from '../../shared/data/table/attribute-values.ts';

const name = fc.string().filter((text) => text !== '__proto__');
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
  fc.boolean(),
  fc.constant(null),
);
const unusual = fc.oneof(
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
  fc.uint8Array({ minLength: 1 }),
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((texts) => new Set(texts)),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((numbers) => new Set(numbers)),
  fc.constant(undefined),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    unusual,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const item = fc.dictionary(name, value, { maxKeys: 10, noNullPrototype: true });

describe('items in the notation of DynamoDB', () => {
  it('an item is written as the library of the SDK writes it, and read as the library reads it', () => {
    fc.assert(
      fc.property(item, (one) => {
        const attributes = marshall(one, { removeUndefinedValues: true });
        expect(toAttributes(one)).toEqual(attributes);
        expect(fromAttributes(attributes)).toEqual(unmarshall(attributes));
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, new Date(0), Symbol('text')])(
    'an item with %o is refused as the library of the SDK refuses it',
    (refused) => {
      expect(() => toAttributes({ list: [refused] })).toThrow();
      expect(() => marshall({ list: [refused] }, { removeUndefinedValues: true })).toThrow();
    },
  );
});
