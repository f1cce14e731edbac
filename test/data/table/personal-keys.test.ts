import { describe, expect, it } from 'vitest';
import { listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { personHash } from '../../../shared/data/table/hash-key.ts';
import { rewriteEveryKind, writeEveryKind } from '../../support/rows/every-kind.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { goldenReleases, goldenRows } from '../../support/rows/golden.ts';
import { createTestTable } from '../../support/table.ts';

/** The people of `writeEveryKind`, as they are and as search words. A random id can contain a short name, but not as a word. */
const personal = /@|\bada\b|lovelace|fan(@|x)|example/i;

/** Keys that are sorted by a person's data or searched by it, so they contain the text (ADR 53). All others are exact look-ups. */
const sortedOrSearched: Readonly<Record<string, RegExp>> = {
  'customers by email address': /^sk of CUV#[^#]+#email$/,
  'customers by first name': /^by2sk of CUV#[^#]+#email$/,
  'customers by last name': /^by3sk of CUV#[^#]+#email$/,
  'search words of customers': /^sk of CUV#[^#]+#word#.$/,
  'search words of orders': /^sk of ORV#[^#]+#.$/,
  // The issuer is the address of an identity provider. The subject is its own id of the person.
  'users of identity providers': /^sk of SSO#[^#]+$/,
};

type Row = Readonly<Record<string, unknown>>;

/** What a key contains of a person, as `attribute of partition`, without the keys of the list. */
function personalKeys(rows: Iterable<Row>): { readonly found: string[]; readonly allowed: Set<string> } {
  const allowed = new Set<string>();
  const found = [...rows].flatMap((row) =>
    Object.entries(row)
      .filter(([name, value]) => /^(pk|sk|by\d(pk|sk))$/.test(name) && personal.test(String(value)))
      .flatMap(([name, value]) => {
        const place = `${name} of ${String(row.pk)}`;
        const [reason] = Object.entries(sortedOrSearched).find(([, pattern]) => pattern.test(place)) ?? [];
        if (reason === undefined) return [`${place}: ${String(value)}`];
        allowed.add(reason);
        return [];
      }),
  );
  return { found, allowed };
}

describe('personal data in keys', () => {
  it('no key of an exact look-up contains an email address or a name, whatever has changed', async () => {
    const { table } = await createTestTable();
    await rewriteEveryKind(await writeEveryKind(table, 'org_keys'));
    const { found, allowed } = personalKeys((await everyRow(table)).values());
    expect(found).toEqual([]);
    expect([...allowed].sort()).toEqual(Object.keys(sortedOrSearched).sort());
  });

  it.each(goldenReleases())('no key of an exact look-up in the rows of release %s contains one', (release) => {
    expect(personalKeys(goldenRows(release)).found).toEqual([]);
  });

  it('a key with an address is found', () => {
    expect(personalKeys([{ pk: 'UNI#org_a#email#ada@example.com', sk: '#' }]).found).toHaveLength(1);
  });

  it('every kind of exact look-up has the hash of the address', async () => {
    const { table } = await createTestTable();
    await writeEveryKind(table, 'org_keys');
    const hash = await personHash(table);
    const keys = [...(await everyRow(table)).values()].map(({ pk }) => pk);
    const [ada, fan] = ['ada@example.com', 'fan@example.com'].map((address) => hash.address('org_keys', address));
    expect(keys).toEqual(
      expect.arrayContaining([`BSK#org_keys#buyer#${ada}`, `UNI#org_keys#email#${ada}`, `CUV#org_keys#address#${fan}`]),
    );
    const all = { orgId: 'org_keys', userId: undefined, status: undefined, range: {}, page: 1, limit: 50 };
    expect((await listAllOrders(table, { ...all, emailAddress: 'ADA@example.com' })).orders).not.toEqual([]);
    expect((await listAllOrders(table, { ...all, emailAddress: 'eve@example.com' })).orders).toEqual([]);
  });
});
