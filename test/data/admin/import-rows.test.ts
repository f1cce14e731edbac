import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { category, givenConfig, givenFullConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { Files, importInto, importTimeUnix, rowsOf, uniqueItemOf } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let organisations = 0;
const files = new Files();

beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => {
  table.client.destroy();
  files.remove();
});

function newOrganisation(): string {
  organisations += 1;
  return `org_import${organisations}`;
}

function rejectedIn(name: string): { line: number; reason: string; row?: unknown }[] {
  return files
    .read(`${name}.rejected.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('import of a row', () => {
  it('needs only the columns without a default, in CSV and in NDJSON', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, category(orgId, 'season'));
    const csv = files.write(
      'least.csv',
      '\uFEFFcode,category_code,title,price\r\nfull,season,"Full, ""adult""",240.50\r\n',
    );
    const ndjson = files.write('least.ndjson', '{"code":"half","category_code":"season","title":"Half","price":120}');
    expect(await importInto(table, { orgId, dataset: 'membership-types', file: csv })).toMatchObject({ created: 1 });
    expect(await importInto(table, { orgId, dataset: 'membership-types', file: ndjson })).toMatchObject({ created: 1 });
    const { types } = await readMembershipConfig(table, orgId);
    expect([...types.values()]).toEqual(
      expect.arrayContaining([
        membershipType(orgId, 'full', { title: 'Full, "adult"', priceThousandths: 240_500 }),
        membershipType(orgId, 'half', { title: 'Half', priceThousandths: 120_000 }),
      ]),
    );
    expect(existsSync(files.path('least.csv.rejected.ndjson'))).toBe(false);
  });

  it('changes only the columns of the file; an empty cell clears the field or sets its default', async () => {
    const orgId = newOrganisation();
    await givenFullConfig(table, orgId);
    const file = files.write('some.csv', 'code,title,image,show_online\nseason,Saison,,\n');
    expect(await importInto(table, { orgId, dataset: 'membership-categories', file })).toMatchObject({ updated: 1 });
    const { categories } = await readMembershipConfig(table, orgId);
    expect([...categories.values()]).toMatchObject([
      { title: 'Saison', image: null, showOnline: 1, hexColor: '#c8102e', seatMapId: expect.any(Number) },
    ]);
  });

  it('saves rows with the same key in the order of the file', async () => {
    const orgId = newOrganisation();
    const titles = Array.from({ length: 30 }, (_, index) => `Title ${index}`);
    const file = files.write('same.ndjson', titles.map((title) => JSON.stringify({ code: 'park', title })).join('\n'));
    const counts = await importInto(table, { orgId, dataset: 'seat-maps', file });
    expect(counts).toEqual({ read: 30, created: 1, updated: 29, unchanged: 0, rejected: 0 });
    expect([...(await readMembershipConfig(table, orgId)).seatMaps.values()]).toMatchObject([{ title: 'Title 29' }]);
  });

  it('creates membership types that renew as each other, in any order', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, category(orgId, 'season'));
    const row = (code: string, renews_as_code: string) =>
      JSON.stringify({ code, category_code: 'season', title: code, price: 10, renews_as_code });
    const rows = [row('home', 'away'), row('away', 'home'), row('a', 'b'), row('b', 'c'), row('c', 'a'), row('d', 'a')];
    const file = files.write('renew.ndjson', rows.join('\n'));
    const counts = await importInto(table, { orgId, dataset: 'membership-types', file });
    expect(counts).toEqual({ read: 6, created: 6, updated: 0, unchanged: 0, rejected: 0 });
    const { types } = await readMembershipConfig(table, orgId);
    const next = Object.fromEntries(
      [...types.values()].map(({ code, renewsAsTypeId }) => [code, types.get(renewsAsTypeId ?? 0)?.code]),
    );
    expect(next).toEqual({ home: 'away', away: 'home', a: 'b', b: 'c', c: 'a', d: 'a' });
    expect(await importInto(table, { orgId, dataset: 'membership-types', file })).toMatchObject({ unchanged: 6 });
  });

  it('creates no membership type that renews as one which is missing or rejected', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, category(orgId, 'season'));
    const row = (code: string, renews_as_code: string, category_code = 'season') =>
      JSON.stringify({ code, category_code, title: code, price: 10, renews_as_code });
    const rows = [row('home', 'away'), row('away', 'home', 'nothing'), row('a', 'b'), row('b', 'nobody')];
    const file = files.write('dangling.ndjson', rows.join('\n'));
    expect(await importInto(table, { orgId, dataset: 'membership-types', file })).toMatchObject({ rejected: 4 });
    expect((await readMembershipConfig(table, orgId)).types.size).toBe(0);
  });

  it('rejects a barcode that belongs to another member', async () => {
    const orgId = newOrganisation();
    const rows = ['1', '2'].map((member_number) => JSON.stringify({ member_number, barcode: 'B-77' }));
    const file = files.write('barcodes.ndjson', rows.join('\n'));
    expect(await importInto(table, { orgId, dataset: 'members', file })).toMatchObject({ created: 1, rejected: 1 });
    expect(rejectedIn('barcodes.ndjson')).toMatchObject([
      { reason: 'barcode "B-77" belongs to another member or a ticket.' },
    ]);
    expect(await importInto(table, { orgId, dataset: 'members', file })).toMatchObject({ unchanged: 1, rejected: 1 });
  });

  it('updates the members of a changed type or category', async () => {
    const orgId = newOrganisation();
    await givenFullConfig(table, orgId);
    const members = files.write('carry.ndjson', '{"member_number":"1","membership_type_code":"full"}');
    await importInto(table, { orgId, dataset: 'members', file: members });
    const types = files.write('types.csv', 'code,title\nfull,Ganze Saison\n');
    const categories = files.write('categories.csv', 'code,title,seat_map_code\nseason,Saison,\n');
    await importInto(table, { orgId, dataset: 'membership-types', file: types });
    await importInto(table, { orgId, dataset: 'membership-categories', file: categories });
    expect(await memberByNumber(table, orgId, '1')).toMatchObject({
      typeTitle: 'Ganze Saison',
      categoryTitle: 'Saison',
      seatMapId: null,
    });
    expect(JSON.stringify((await rowsOf(table, orgId)).config)).not.toContain('membersOutdated');
  });

  it('sets updated_at for a member that was created earlier', async () => {
    const orgId = newOrganisation();
    const file = files.write('old.csv', 'member_number,created\n1,1500000000\n2,\n');
    await importInto(table, { orgId, dataset: 'members', file });
    const [old, recent] = await Promise.all(['1', '2'].map((number) => memberByNumber(table, orgId, number)));
    expect(old).toMatchObject({ createdUnix: 1_500_000_000, updatedUnix: importTimeUnix });
    expect(recent).toMatchObject({ createdUnix: importTimeUnix, updatedUnix: null });
  });
});

describe('a rejected row', () => {
  it('is reported with its line number and all reasons; the other rows are imported', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, category(orgId, 'season'));
    const file = files.write(
      'bad.csv',
      [
        'code,category_code,title,price,expires,status',
        'a,season,A,1,,1',
        'b,season,"B',
        'in two lines",-1,soon,1',
        'c,nowhere,C,1,,1',
        ',season,D,1,,1',
        'e,season,,1,,2',
        'f,season,F,1',
        'g,season,"G"x,1,,1',
        'h,season,H,0.0001,2026-02-30T00:00:00Z,1',
        'i,season,I,19.99,2026-10-31T23:00:00+10:00,0',
      ].join('\n'),
    );
    const counts = await importInto(table, { orgId, dataset: 'membership-types', file });
    expect(counts).toEqual({ read: 9, created: 2, updated: 0, unchanged: 0, rejected: 7 });
    const rejected = rejectedIn('bad.csv');
    expect(rejected.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      expect.stringMatching(
        /^3: title contains control characters\. price must be a number of at least 0[^:]*\. expires must be a time such as [^ ]*$/,
      ),
      '5: category_code "nowhere" does not exist.',
      '6: code is missing.',
      '7: title is missing. status must be 0 or 1.',
      '8: The row has 4 cells, but the header has 6.',
      '9: There is text after a closing quote.',
      expect.stringMatching(/^10: price must be a number of at least 0.* expires must be a time such as/),
    ]);
    expect(rejected[0]?.row).toMatchObject({ code: 'b', title: 'B\nin two lines', price: -1, expires: 'soon' });
    const { types } = await readMembershipConfig(table, orgId);
    expect([...types.values()].map(({ code }) => code).sort()).toEqual(['a', 'i']);
    expect([...types.values()].find(({ code }) => code === 'i')).toMatchObject({
      priceThousandths: 19_990,
      expiresUnix: Date.UTC(2026, 9, 31, 13) / 1000,
      status: 0,
    });
  });

  it('has a missing reference, an unknown column, or text that is not valid', async () => {
    const orgId = newOrganisation();
    const customers = files.write(
      'people.ndjson',
      [
        '{"org_customer_id":"1","email_address":"anna@example.com","first_name":"Anna"}',
        '{"org_customer_id":"2","email_address":"no address"}',
        '{"org_customer_id":"3","first_name":"\\ud83e"}',
        '{"org_customer_id":"4","first_nam":"Bo"}',
        '{"org_customer_id":5}',
        '{"org_customer_id":"6","first_name":"\\u001b[2JBo"}',
        '{"org_customer_id":"7","first_name":"An\\tna"}',
        '{"org_customer_id":"8","last_name":"Low\\nHigh"}',
      ].join('\n'),
    );
    expect(await importInto(table, { orgId, dataset: 'customers', file: customers })).toMatchObject({ created: 1 });
    expect(rejectedIn('people.ndjson').map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '2: email_address must be an email address.',
      '3: first_name contains text that is not UTF-8.',
      expect.stringMatching(/^4: first_nam is not a column\. Columns: org_customer_id, first_name/),
      '5: org_customer_id must be text.',
      '6: first_name contains control characters.',
      '7: first_name contains control characters.',
      '8: last_name contains control characters.',
    ]);

    const members = files.write(
      'members.csv',
      'member_number,membership_type_code,org_customer_id,date_of_birth\n1,full,,\n2,,8,\n3,,1,2001-02-29\n4,,1,2000-02-29\n',
    );
    expect(await importInto(table, { orgId, dataset: 'members', file: members })).toMatchObject({
      created: 1,
      rejected: 3,
    });
    expect(rejectedIn('members.csv').map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '2: membership_type_code "full" does not exist.',
      '3: org_customer_id "8" does not exist.',
      '4: date_of_birth must be a date such as 1988-02-29.',
    ]);
  });

  it.each([
    ['code,titel\nx,y\n', 'unknown columns: titel'],
    ['code,code\nx,y\n', 'contains a column twice'],
    ['title\nx\n', 'lacks the column code'],
    ['"code\n', 'The header cannot be read'],
  ])('is not looked for if the header is wrong: %j', async (content, says) => {
    const orgId = newOrganisation();
    const file = files.write('header.csv', content);
    await expect(importInto(table, { orgId, dataset: 'seat-maps', file })).rejects.toThrow(says);
    expect(await rowsOf(table, orgId)).toEqual({ config: [], customers: [], members: [] });
  });
});

describe('import of the same file again', () => {
  it('changes nothing in the table, also on another day', async () => {
    const orgId = newOrganisation();
    await givenFullConfig(table, orgId);
    const customers = files.write(
      'c.csv',
      'org_customer_id,first_name,email_address,add_date\n1,Zoë,z@example.com,1600000000\n',
    );
    const members = files.write(
      'm.csv',
      'member_number,membership_type_code,org_customer_id,first_name,membership_fulfilled,auto_renew\n1,full,1,Zoë,yes,1\n2,,,,,\n',
    );
    const all = async (nowUnix: number) => [
      await importInto(table, { orgId, dataset: 'customers', file: customers, nowUnix }),
      await importInto(table, { orgId, dataset: 'members', file: members, nowUnix }),
    ];
    expect(await all(importTimeUnix)).toMatchObject([{ created: 1 }, { created: 2 }]);
    const before = await rowsOf(table, orgId);
    expect(await all(importTimeUnix + 86_400)).toMatchObject([
      { unchanged: 1, updated: 0 },
      { unchanged: 2, updated: 0 },
    ]);
    expect(await rowsOf(table, orgId)).toEqual(before);
    expect(before.members.map(({ userId }) => userId)).toContain(before.customers[0]?.id);
    expect(await uniqueItemOf(table, orgId, 'member-number', '1')).toBeDefined();
  });
});
