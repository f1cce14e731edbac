import { describe, expect, it } from 'vitest';
import { countryName } from '../../shared/domain/organisations/country-names.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

describe('the countries', () => {
  it('are the 249 of ISO 3166-1, and no unions, withdrawn codes or regions for tests', () => {
    const known = codes.filter((code) => countryName(code) !== undefined);
    expect(known).toHaveLength(249);
    for (const other of ['EU', 'UK', 'SU', 'YU', 'XK', 'XA', 'ZZ', 'Au', ''])
      expect(countryName(other)).toBeUndefined();
  });

  it('have the names that Intl has for them, but for those that it has changed since', () => {
    const intl = new Intl.DisplayNames(['en'], { type: 'region' });
    const different = codes.filter((code) => (countryName(code) ?? intl.of(code)) !== intl.of(code));
    // Versions of Node know different editions of the names; a slip of the table would be a whole row of them.
    expect(different.length).toBeLessThan(10);
    expect(countryName('AU')).toBe('Australia');
    expect(countryName('CI')).toBe('Côte d’Ivoire');
  });
});
