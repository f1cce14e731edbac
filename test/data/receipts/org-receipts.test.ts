import { describe, expect, it } from 'vitest';
import { readBook } from '../../../shared/data/receipts/book.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';

let nowUnix = 1_780_000_000;
const { table, admin } = await givenAdmin(() => nowUnix * 1000);
const seller = ['--seller-name', 'Club Ltd', '--seller-address', '1 Quay Street'];

describe('org receipts', () => {
  it('is refused without a seller, and nothing is switched on', async () => {
    await givenOrganisation(table, 'org_noseller');
    const answer = await admin('--local', 'org', 'receipts', 'org_noseller', '--prefix', 'A-');
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(answer.stderr).toContain('--seller-name');
    expect(await readBook(table, 'org_noseller')).toBeUndefined();
    expect(await documentOf(admin, 'org', 'receipts', 'org_noseller')).toMatchObject({ receipts: null });
  });

  it('switches receipts on from the next second, with defaults, and changes only what is given', async () => {
    await givenOrganisation(table, 'org_seller');
    expect(await documentOf(admin, 'org', 'receipts', 'org_seller', ...seller)).toMatchObject({
      changed: true,
      receipts: { prefix: 'R-', credit_prefix: 'C-', yearly: true, keep_years: 10, switched_on: nowUnix + 1 },
    });
    nowUnix += 60;
    const changed = await documentOf(
      admin,
      'org',
      'receipts',
      'org_seller',
      '--seller-tax-id',
      'VAT 1',
      '--yearly',
      'no',
    );
    expect(changed).toMatchObject({
      changed: true,
      receipts: { seller: { name: 'Club Ltd', tax_id: 'VAT 1' }, yearly: false, changed_at: nowUnix + 1 },
    });
    expect((await readBook(table, 'org_seller'))?.settings).toHaveLength(2);
    expect(await documentOf(admin, 'org', 'receipts', 'org_seller', ...seller)).toMatchObject({ changed: false });
  });

  it('never mixes the series of receipts and credit notes, also with texts of before', async () => {
    await givenOrganisation(table, 'org_series');
    for (const prefixes of [
      ['X-', 'X-'],
      ['X-', 'X-2026-'],
      ['C-1-', 'C-'],
    ]) {
      const [prefix = '', credit = ''] = prefixes;
      const answer = await admin(
        '--local',
        'org',
        'receipts',
        'org_series',
        ...seller,
        '--prefix',
        prefix,
        '--credit-prefix',
        credit,
      );
      expect(answer).toMatchObject({ exitCode: 1 });
    }
    await documentOf(admin, 'org', 'receipts', 'org_series', ...seller);
    await documentOf(admin, 'org', 'receipts', 'org_series', '--prefix', 'S-');
    expect(await admin('--local', 'org', 'receipts', 'org_series', '--credit-prefix', 'R-')).toMatchObject({
      exitCode: 1,
    });
  });

  it('refuses a prefix that ends in a digit: 11 of A would be 1 of A1', async () => {
    await givenOrganisation(table, 'org_digit');
    expect(await admin('--local', 'org', 'receipts', 'org_digit', ...seller, '--prefix', 'A1')).toMatchObject({
      exitCode: 2,
    });
  });
});
