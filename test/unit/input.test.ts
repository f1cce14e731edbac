import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { coerceText } from '../../shared/http/input/coerce.ts';
import { findForbiddenCharacters } from '../../shared/http/input/forbidden-characters.ts';
import { validate } from '../../shared/http/input/validate.ts';
import { field } from '../../shared/operations/schemas/fields.ts';
import { barcodeText } from '../../shared/operations/schemas/text.ts';

const Query = v.strictObject({
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20),
  active: v.optional(v.boolean()),
  keep: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  status: v.optional(v.picklist(['all', 0, 1])),
  search: v.optional(v.pipe(v.string(), v.maxLength(5))),
});

const Body = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(10)),
  code: v.optional(v.nullable(v.string())),
  members: v.optional(
    v.pipe(v.array(v.strictObject({ id: v.pipe(v.number(), v.integer()) })), v.minLength(1), v.maxLength(2)),
  ),
});

const query = (fields: Record<string, string>) => validate(Query, coerceText(Query, fields, 'text'));
const form = (fields: unknown) => validate(Body, coerceText(Body, fields, 'null'));

describe('input coercion', () => {
  it.each([
    [{ limit: '7' }, { limit: 7 }],
    [{ limit: '007' }, { limit: 7 }],
    [{ active: 'true' }, { active: true, limit: 20 }],
    [{ active: '0' }, { active: false, limit: 20 }],
    [{ status: '1' }, { status: 1, limit: 20 }],
    [{ status: 'all' }, { status: 'all', limit: 20 }],
    [{ search: '007' }, { search: '007', limit: 20 }],
    [{ search: '' }, { search: '', limit: 20 }],
    [{}, { limit: 20 }],
  ])('input coercion converts the query %j', (fields, expected) => {
    expect(query(fields)).toEqual({ details: [], output: expected });
  });

  it('input coercion reads an empty form value as null, and converts inside lists', () => {
    expect(form({ name: 'a', code: '', members: [{ id: '5' }] }).output).toEqual({
      name: 'a',
      code: null,
      members: [{ id: 5 }],
    });
  });
});

describe('input validation', () => {
  it('a value that breaks two rules with one message is reported once', () => {
    expect(validate(Query, { limit: -5.5 }).details).toHaveLength(1);
  });

  it.each([
    [{ limit: '0' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [{ limit: '101' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [{ limit: '5.0' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [{ limit: '+5' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [{ limit: '1e1' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [{ limit: '' }, 'parameter_invalid', 'limit', 'The parameter limit must be an integer from 1 to 100.'],
    [
      { limit: '99999999999999999999' },
      'parameter_invalid',
      'limit',
      'The parameter limit must be an integer from 1 to 100.',
    ],
    [{ keep: '-1' }, 'parameter_invalid', 'keep', 'The parameter keep must be a number from 0 to 100.'],
    [{ keep: '12,50' }, 'parameter_invalid', 'keep', 'The parameter keep must be a number from 0 to 100.'],
    [{ active: 'yes' }, 'parameter_invalid', 'active', 'The parameter active must be true or false.'],
    [{ status: '2' }, 'parameter_invalid', 'status', 'The parameter status must be one of all, 0, 1.'],
    [
      { search: 'longer' },
      'parameter_invalid',
      'search',
      'The parameter search must be a string of at most 5 characters.',
    ],
    [
      { limits: '1' },
      'parameter_unknown',
      'limits',
      'Unknown parameter limits. Allowed: limit, active, keep, status, search.',
    ],
    [
      { constructor: '1' },
      'parameter_unknown',
      'constructor',
      'Unknown parameter constructor. Allowed: limit, active, keep, status, search.',
    ],
  ])('input validation names the problem of %j', (fields, code, param, message) => {
    expect(query(fields as Record<string, string>).details).toEqual([{ code, param, message }]);
  });

  it('input validation reports a parameter without a name', () => {
    const { details } = validate(v.strictObject({}), { '': '1' });
    expect(details).toEqual([
      { code: 'parameter_unknown', message: 'Unknown parameter (no name). None is allowed.', param: null },
    ]);
  });

  it('input validation reports every problem at once, also inside lists', () => {
    const { details } = validate(Body, { extra: 1, members: [{ id: 1, x: 2 }, { id: 'a' }, {}] });
    expect(details.map(({ code, param }) => [code, param])).toEqual([
      ['parameter_unknown', 'extra'],
      ['parameter_unknown', 'members[0].x'],
      ['parameter_missing', 'name'],
      ['parameter_invalid', 'members[1].id'],
      ['parameter_missing', 'members[2].id'],
    ]);
  });

  it('input validation names the allowed length of a list that is too long', () => {
    const members = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(validate(Body, { name: 'a', members }).details).toEqual([
      {
        code: 'parameter_invalid',
        param: 'members',
        message: 'The parameter members must be a list of 1 to 2 items.',
      },
    ]);
  });

  it('input validation refuses a parameter that is given twice', () => {
    expect(form({ name: ['a', 'b'] }).details).toEqual([
      {
        code: 'parameter_invalid',
        param: 'name',
        message: 'The parameter name must be a string of 1 to 10 characters, sent once.',
      },
    ]);
  });

  it.each(['a\u0000', 'a\r\nb', '\u0085', '\u007f', 'Ren\ufffd'])(
    'input validation refuses control and replacement characters: %j',
    (name) => {
      const message = 'The parameter name must be a UTF-8 string without control characters.';
      expect(findForbiddenCharacters(Body, { name })).toEqual([{ code: 'parameter_invalid', param: 'name', message }]);
    },
  );

  it('input validation refuses control characters inside lists, but not in texts with a pattern of their own', () => {
    const Reading = v.strictObject({ tags: v.array(v.string()), barcode: field(barcodeText(100), 'As read.') });
    const details = findForbiddenCharacters(Reading, { tags: ['a', '\t'], barcode: '\u001d01\n', other: '\t' });
    expect(details.map(({ param }) => param)).toEqual(['tags[1]']);
  });

  it('input validation of JSON does not convert text to numbers or null to nothing', () => {
    expect(validate(Body, { name: null, members: [{ id: '5' }] }).details.map(({ param }) => param)).toEqual([
      'name',
      'members[0].id',
    ]);
  });
});
