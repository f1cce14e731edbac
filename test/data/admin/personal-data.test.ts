import { describe, expect, it, vi } from 'vitest';
import { personSections } from '../../../admin/person/sections.ts';
import { impersonalEverywhere, impersonalNumbers } from '../../../shared/domain/impersonal-numbers.ts';
import { personalData } from '../../../shared/domain/personal-data.ts';
import { aCustomer } from '../../../tools/fixtures/customers.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { everyTrace, givenPersonWithEverything } from '../../support/person-with-everything.ts';
import { rewriteEveryKind, writeEveryKind } from '../../support/rows/every-kind.ts';
import { everyRow, type Row } from '../../support/rows/every-row.ts';
import { fieldsOfRow } from '../../support/rows/fields-of-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
const { table, admin } = await givenAdmin(() => (noonUnix + 60) * 1000);
const orgId = 'org_everything';

const answers = new Map<
  string,
  { readonly personal: Readonly<Record<string, string>>; readonly others: readonly string[] }
>(Object.entries(personalData));
const kindOf = ({ pk }: Pick<Row, 'pk'>) => pk.split('#')[0] ?? '';

function answerOf(row: Row, path: string): 'personal' | 'other' | undefined {
  const { personal, others } = answers.get(kindOf(row)) ?? { personal: {}, others: [] };
  if (Object.keys(personal).some((one) => covers(one, path))) return 'personal';
  return others.some((one) => covers(one, path)) ? 'other' : undefined;
}

const covers = (name: string, path: string): boolean =>
  name.endsWith('*') ? path.startsWith(name.slice(0, -1)) : name === path;

const numbers = new Map<string, readonly string[]>(Object.entries(impersonalNumbers));
function hasAnswer(row: Row, path: string, value: unknown): boolean {
  const answer = answerOf(row, path);
  if (typeof value === 'string' || answer === 'personal') return answer !== undefined;
  return [...(numbers.get(kindOf(row)) ?? []), ...impersonalEverywhere].some((one) => covers(one, path));
}

describe('the registry of personal data', () => {
  it('has an answer for every text, number, boolean and byte in every kind of row', async () => {
    const { table: other } = await createTestTable();
    const world = await writeEveryKind(other, 'org_kinds');
    const rows = [...(await everyRow(other)).values()];
    await rewriteEveryKind(world);
    await givenPersonWithEverything(checkoutDepsOf(other, orgId));
    rows.push(...(await everyRow(other)).values());
    const open = rows.flatMap((row) =>
      fieldsOfRow(row)
        .filter(({ path, value }) => !hasAnswer(row, path, value))
        .map(({ path }) => `${kindOf(row)} ${path}`),
    );
    expect([...new Set(open)].sort(), 'Say in shared/domain/personal-data.ts or impersonal-numbers.ts.').toEqual([]);
  });

  it('names only sections of export and erasure', () => {
    const known = personSections({ customer: aCustomer() }).map(({ name }) => name);
    const named = [...answers.values()].flatMap(({ personal }) =>
      Object.values(personal).flatMap((one) => one.split(', ')),
    );
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('a person who has everything', () => {
  it('is in personal fields only, and after customer erase nowhere in the table and the feed but in passes that end in a week', async () => {
    await givenPersonWithEverything(checkoutDepsOf(table, orgId));
    const rows = [...(await everyRow(table)).values()];
    const found = rows.flatMap((row) =>
      fieldsOfRow(row)
        .filter(({ value }) => everyTrace.test(String(value)))
        .map(({ path }) => ({ row, path })),
    );
    const misplaced = found.filter(({ row, path }) => answerOf(row, path) !== 'personal');
    expect([...new Set(misplaced.map(({ row, path }) => `${kindOf(row)} ${path}`))]).toEqual([]);
    const kinds = [...new Set(found.map(({ row }) => kindOf(row)))].sort();
    expect(kinds).toEqual('BAR BSK CAT CUS CUV DLV FEED MEM ORD ORT PLN POS RNW SBK SCN SSO WDR WDV WTL'.split(' '));
    const exported = JSON.stringify(await documentOf(admin, 'customer', 'export', orgId, 'C-1'));
    for (const word of [
      'old@trace',
      'new@trace',
      'typed@trace',
      'gift@trace',
      'imported@trace',
      'IMPORTED-1',
      'NATIONAL-ID',
      'points_of_trace',
      '19470423',
      'agree',
    ])
      expect(exported).toContain(word);
    await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    const left = [...(await everyRow(table)).values()].filter((row) => everyTrace.test(JSON.stringify(row)));
    const endsSoon = (row: Row) => kindOf(row) === 'WDV' && Number(row.ttl) <= noonUnix + 60 + 7 * 86_400;
    expect(left.filter((row) => !endsSoon(row))).toEqual([]);
    expect(left).toHaveLength(2);
    expect(await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes')).toMatchObject({ changed: false });
  });
});
