import { describe, expect, it } from 'vitest';
import { countryName } from '../../shared/domain/organisations/country-names.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = letters.flatMap((first) => letters.map((second) => first + second));

describe('country names', () => {
  it('country names are the 249 of ISO 3166-1, without unions, withdrawn codes or test regions', () => {
    const known = codes.filter((code) => countryName(code) !== undefined);
    expect(known).toHaveLength(249);
    for (const other of ['EU', 'UK', 'SU', 'YU', 'XK', 'XA', 'ZZ', 'Au', ''])
      expect(countryName(other)).toBeUndefined();
  });

  it('country names equal those of Intl, except the ones that Intl has changed since', () => {
    const intl = new Intl.DisplayNames(['en'], { type: 'region' });
    const different = codes.filter((code) => (countryName(code) ?? intl.of(code)) !== intl.of(code));
    // Versions of Node contain different editions of the names. A shifted table would differ in many rows.
    expect(different.length).toBeLessThan(10);
    expect(countryName('AU')).toBe('Australia');
    expect(countryName('CI')).toBe('Côte d’Ivoire');
  });
});
