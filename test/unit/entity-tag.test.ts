import { describe, expect, it } from 'vitest';
import { entityTagOf, matchesEntityTag } from '../../shared/http/entity-tag.ts';

describe('entity tags', () => {
  it('an entity tag is strong, and follows from the bytes of the body', () => {
    expect(entityTagOf('{"a":1}')).toMatch(/^"[\w-]{43}"$/);
    expect(entityTagOf('{"a":1}')).toBe(entityTagOf('{"a":1}'));
    expect(entityTagOf('{"a":1}')).not.toBe(entityTagOf('{"a":2}'));
  });

  it.each([
    ['the same tag', ['"a"']],
    ['a weak tag', ['W/"a"']],
    ['one of a list', ['"x", W/"y","a"']],
    ['one of several headers', ['"x"', '"a"']],
    ['a list with empty elements', [', "x",, "a" ,']],
    ['a list with a comma in a tag', ['"x,y", "a"']],
    ['any representation', ['*']],
    ['any representation, with spaces', [' * ']],
  ])('If-None-Match with %s matches', (_name, values) => {
    expect(matchesEntityTag(values, '"a"')).toBe(true);
  });

  it.each([
    ['no value', []],
    ['an empty value', ['']],
    ['another tag', ['"b"']],
    ['a tag in another case', ['"A"']],
    ['a tag in a tag', ['"x,"', '"y,a"']],
    ['a tag without quotes', ['a']],
    ['a list with a tag without quotes', ['x, "a"']],
    ['* in a list', ['"x", *']],
    ['a lower-case w/', ['w/"a"']],
    ['a missing quote', ['"a']],
    ['a missing comma', ['"x" "a"']],
  ])('If-None-Match with %s does not match', (_name, values) => {
    expect(matchesEntityTag(values, '"a"')).toBe(false);
  });

  it('If-None-Match of the longest header that API Gateway accepts is read in time', () => {
    expect(matchesEntityTag([`${'"x", '.repeat(2_000)}x`], '"a"')).toBe(false);
    expect(matchesEntityTag([`${', '.repeat(5_000)}x`], '"a"')).toBe(false);
  });
});
