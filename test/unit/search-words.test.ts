import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventWords } from '../../shared/domain/events/search.ts';
import { orderWords } from '../../shared/domain/orders/search.ts';
import {
  indexedKeys,
  isCovered,
  keyOfText,
  matchesSearch,
  parseSearch,
  type SearchQuery,
} from '../../shared/domain/search/query.ts';
import { beginsWith, formsOfKey, type RowWords, rowWords } from '../../shared/domain/search/row-words.ts';
import { codeWords, emailWords, fieldWords } from '../../shared/domain/search/text.ts';
import { modelFinds } from '../support/search-model.ts';

/** Whether a search finds a row with nothing but the words that are stored with the keys that it reads. */
function isFoundByKeys(row: RowWords, search: SearchQuery): boolean {
  const { keys } = indexedKeys(search);
  const read = row.keys.filter((key) => keys.some((prefix) => key.startsWith(prefix)));
  const stored = read.flatMap((key) => formsOfKey(row, key) ?? [key]);
  return isCovered(search, (searched) => stored.some((form) => beginsWith(form, searched)), []);
}

/** Whether a search finds a row, by comparison and in the index. Both must agree. */
function finds(row: RowWords, text: string): boolean {
  const search = parseSearch(text);
  if (search === undefined) return true;
  const isFound = matchesSearch(search, { ...row, ids: [] });
  const isIndexed = indexedKeys(search).required.every((key) => row.keys.some((one) => one.startsWith(key)));
  if (isFound) expect(isIndexed).toBe(true);
  expect(isFoundByKeys(row, search)).toBe(isFound);
  return isFound;
}

const name = (text: string): RowWords => rowWords([fieldWords(text)], 40);
const code = (text: string): RowWords => rowWords([codeWords(text)], 40);
const email = (text: string): RowWords => rowWords([emailWords(text)], 40);

describe('search words', () => {
  it.each([
    ["O'Brien", ['obrien', "o'brien", 'OBri', 'brien', 'o´brien', 'O’BRIEN'], ['rien', 'o brien x']],
    ['OBrien', ["o'brien", 'o-b'], ['brien']],
    ['O´Brien', ['obrien', "o'brien"], ['rien']],
    ['Jean-Luc', ['jeanluc', 'jean-luc', 'luc', 'jean luc'], ['anluc']],
    ['St. Pauli', ['st pauli', 'st. pauli'], ['stpauli']],
    ['Rovers - City', ['rovers city', 'rovers - city', '-'], ['rovers -- city']],
  ])('search ignores the punctuation of a word: %s', (text, found, notFound) => {
    expect(found.filter((search) => !finds(name(text), search))).toEqual([]);
    expect(notFound.filter((search) => finds(name(text), search))).toEqual([]);
  });

  it.each([
    ['SW1A1AA', ['sw1a1aa', 'sw1a 1aa', 'SW1A 1', 'sw 1a 1aa'], ['1aa', 'a1aa', 'sw1a 2', '1aa sw1a']],
    ['1012AB', ['1012 ab', '1012ab', '1012 a'], ['ab']],
    ['+447700900123', ['+44 7700 900 123', '44 7700 900-123', '447700'], ['7700 900', '44 7700 901']],
    ['SW1A 1AA', ['sw1a1aa', 'sw1a 1aa', 'SW1A1', '1aa', 'sw1a-1aa'], ['a1aa', 'sw1a2']],
    ['+44 7700 900-123', ['+447700900123', '447700900123', '7700 900', '123'], ['0044', '00123']],
  ])('search finds a code with or without its spaces: %s', (text, found, notFound) => {
    expect(found.filter((search) => !finds(code(text), search))).toEqual([]);
    expect(notFound.filter((search) => finds(code(text), search))).toEqual([]);
  });

  it.each([
    ['李小龍', ['李小龍', '李小', '小龍', '龍'], ['李龍', '龍小']],
    ['東京ダービー2026', ['東京', '京ダ', 'ダービ', 'ビー2026', '2026', 'タービー'], ['026', '京東']],
    ['김민수', ['김민', '민수', '김민수', '수', '김민수'.normalize('NFD')], ['김수', '기', '미']],
    ['FC東京', ['fc東', '東京', 'fc'], ['c東']],
    ['ﾀﾞｰﾋﾞｰ', ['ダービー', 'ービ'], []],
  ])('search finds Chinese, Japanese and Korean text by any run of characters: %s', (text, found, notFound) => {
    expect(found.filter((search) => !finds(name(text), search))).toEqual([]);
    expect(notFound.filter((search) => finds(name(text), search))).toEqual([]);
  });

  it.each([
    ['Müller', ['muller', 'müller', 'mueller', 'MUELL', 'mu', 'mue', 'mu\u0308'], ['muler', 'mueeller']],
    ['Jürgen-Größe', ['jurgengrosse', 'juergengroesse', 'jurgengroesse', 'juergengrosse', 'groe'], ['groee']],
    ['Brüel', ['bruel', 'brueel', 'brue'], ['brul', 'brueeel']],
    ['ÄÖÜ', ['aou', 'aeoeue', 'aoeu', 'ae', 'aeo'], ['aee', 'oe']],
    ['Mueller', ['mueller'], ['muller', 'müller']],
    ['Michael', ['michael', 'micha'], ['michal']],
    ['Michal', ['michal'], ['michael']],
  ])('search finds ä, ö and ü with and without an e: %s', (text, found, notFound) => {
    expect(found.filter((search) => !finds(name(text), search))).toEqual([]);
    expect(notFound.filter((search) => finds(name(text), search))).toEqual([]);
  });

  it('search finds an email address by its domain', () => {
    const row = email('anna.m+news@mail.club-one.example');
    const found = ['mail.club-one.example', '@mail.club', 'clubone.example', 'club-one', 'anna.m', 'news@mail'];
    expect(found.filter((search) => !finds(row, search))).toEqual([]);
    expect(['ail.club', 'nna'].filter((search) => finds(row, search))).toEqual([]);
  });

  it('search does not find an email address by its top-level domain, which nearly all have in common', () => {
    expect(email('grace@example.com').keys).toEqual(['graceexamplecom', 'examplecom']);
    expect(finds(email('grace@example.com'), 'com')).toBe(false);
    expect(finds(email('anna@club.co.uk'), 'uk')).toBe(false);
    expect(finds(email('anna@club.co.uk'), 'co.uk')).toBe(true);
    expect(finds(email('com@club.com'), 'com@club')).toBe(true);
    expect(finds(email('root@localhost'), 'localhost')).toBe(true);
  });

  it('search joins only neighbouring words with a digit, also among other words', () => {
    const row = rowWords([fieldWords('Anna'), fieldWords('McDonald'), codeWords('SW1A1AA')], 40);
    expect(finds(row, 'anna sw1a 1aa mcdonald')).toBe(true);
    expect(finds(row, 'sw1a 1aa anna')).toBe(true);
    expect(finds(row, 'sw1a anna 1aa')).toBe(false);
    expect(finds(row, 'mc donald')).toBe(false);
  });

  it('search stores the words of a key only where they differ from it', () => {
    expect(formsOfKey(name('Anna'), 'anna')).toBeUndefined();
    expect(formsOfKey(name('Ann Anna'), 'anna')).toBeUndefined();
    expect(formsOfKey(name('Müller'), 'muller')).toEqual(['müller']);
    expect(formsOfKey(name('Michal Michael'), 'michal')).toEqual(['michal', 'michael']);
  });

  it('search stores one key for all spellings of a word', () => {
    expect(name('Müller Mueller MULLER').keys).toEqual(['muller']);
  });
});

describe('search words beyond the limit of a row', () => {
  const many = (letter: string) => Array.from({ length: 30 }, (_, index) => `${letter}${index + 10}`).join(' ');

  it('search keeps the first words of every field, and the address and its domain before the rest of the address', () => {
    const row = orderWords({
      firstName: many('a'),
      lastName: '一二三四五六七八九十甲乙丙丁',
      emailAddress: 'c.d.e.f.g.h.i.j@club.example',
    });
    expect(row.keys).toHaveLength(20);
    expect(row.keys).toEqual(
      expect.arrayContaining(['a10', '一二三四五六七八九十甲乙丙丁', 'cdefghijclubexample', 'clubexample']),
    );
    expect(finds(row, 'a16')).toBe(true);
    expect(finds(row, 'a20')).toBe(false);
    expect(finds(eventWords({ title: '界'.repeat(120) }), '界'.repeat(90))).toBe(true);
  });

  it('search keeps a word whose key is the beginning of a later one, although the row is full', () => {
    const words = [...many('a').split(' ').slice(0, 2), 'b', 'c', 'bc'];
    expect(rowWords([words], 3)).toEqual({ forms: ['a10', 'a11', 'b', 'bc'], keys: ['a10', 'a11', 'bc'] });
  });

  it('an order is found by its whole email address, whatever its names are', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aeu ü.-@李'), maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.emailAddress(), (firstName, lastName, emailAddress) => {
        const { keys } = orderWords({ firstName, lastName, emailAddress });
        expect(keys.some((key) => key.startsWith(keyOfText(emailAddress)))).toBe(true);
        expect(keys.length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

describe('search words against a model', () => {
  // Few characters, so searches match often.
  const units = [
    ..."aaoueen'-.´@ 1李小龍かが民ー・",
    'ä',
    'Ö',
    'u\u0308',
    'ǘ',
    'e\u0308',
    '김',
    '민',
    '😀',
    'ß',
    'æ',
    'ι',
    '\u0345',
  ];
  const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 9 });
  const query = fc.string({ unit: fc.constantFrom(...units), maxLength: 5 });

  it('search finds what the model finds, by comparison and in the index', () => {
    fc.assert(
      fc.property(text, text, query, fc.nat(8), (field, other, random, start) => {
        const row = rowWords([fieldWords(field), codeWords(other)], 40);
        const parts = [field, other].map((one) => [...one].slice(start, start + 4).join(''));
        for (const search of [
          random,
          ...parts,
          parts.join(' '),
          `${parts[0]}${random}`,
          [...other].join(' ').slice(0, 9),
        ]) {
          expect({ search, isFound: finds(row, search) }).toEqual({
            search,
            isFound: modelFinds({ texts: [field], codes: [other], ids: [] }, search),
          });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
