import { expect, it } from 'vitest';
import { matchesSearch, parseSearch } from '../../shared/domain/search/query.ts';
import { fieldWords, fold } from '../../shared/domain/search/text.ts';

it.each([
  ['Müller', 'MULLER'],
  ['ｍüller', 'mu\u0308ller'],
  ['Νίκος', 'ΝΊΚΟΣ'],
  ['Νίκος', 'νικοσ'],
  ['Łukasz Bjørn', 'lukasz bjorn'],
  ['YILMAZ Groß', 'Yılmaz gross'],
  ['O’Brien', "o'brien"],
])('%s and %s are compared as one', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

it('a word that ends in sigma finds the words that it begins', () => {
  const query = parseSearch('ΝΙΚΟΣ');
  if (query === undefined) throw new Error('Nothing is looked for.');
  expect(matchesSearch(query, { words: fieldWords('Νικοστράτη'), ids: [] })).toBe(true);
});
