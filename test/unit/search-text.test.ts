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
])('search text treats %s and %s as equal', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

it('a search word that ends in sigma matches longer words that begin with it', () => {
  const query = parseSearch('ΝΙΚΟΣ');
  if (query === undefined) throw new Error('Nothing is looked for.');
  expect(matchesSearch(query, { forms: fieldWords('Νικοστράτη'), ids: [] })).toBe(true);
});
