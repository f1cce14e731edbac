import { expect, it } from 'vitest';
import { readIfMatch } from '../../shared/http/if-match.ts';
import { apiEvent } from '../../tools/fixtures/api-event.ts';

const read = (headers: Record<string, string>) => readIfMatch(apiEvent({ headers }));

it('If-Match names the version that an object must have, and no header or a star names none', () => {
  expect([read({ 'If-Match': '"3"' }), read({}), read({ 'if-match': '*' })]).toEqual([3, undefined, undefined]);
});

it.each(['', ' ', '3', 'W/"3"', '"3", "4"', '"x"'])(
  'If-Match refuses %j: an unread version must not change anything',
  (sent) => {
    expect(() => read({ 'If-Match': sent })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ code: 'parameter_invalid', param: 'If-Match' })] }),
    );
  },
);
