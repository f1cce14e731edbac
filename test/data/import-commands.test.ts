import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../bin/admin/transfer/kinds.ts';
import type { Table } from '../../shared/data/table.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../support/admin.ts';
import { givenOrganisation } from '../support/door.ts';
import { Files, rowsOf } from '../support/membership-files.ts';
import { createTestTable } from '../support/table.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const files = new Files();
let table: Table;
let local: LocalRun;
let admin: Admin;
let stdin = '';

beforeAll(async () => {
  ({ table } = await createTestTable());
  local = givenLocalRun(table);
  const tool = adminTool({ localFile: local.file, nowMs: () => nowMs, stdin: () => stdin });
  admin = (...words) => tool(...words, '--local');
});
afterAll(() => {
  table.client.destroy();
  local.remove();
  files.remove();
});

/** Unicode, quotes, line ends, text that looks like numbers, SQL or formulas: all of it is just text. */
const person = {
  first_name: 'Zoë "Zo" 🦊',
  last_name: "O'Brien, née Nguyễn",
  mobile_number: '+61 412 345 678',
  postcode: '0800',
};
const full: Readonly<Record<string, readonly object[]>> = {
  'seat-maps': [
    { code: 'park', title: 'Harbour Park' },
    { code: 'hall 2', title: '=1+1' },
  ],
  'membership-categories': [
    { code: 'season', title: 'Season', seat_map_code: 'park', hex_color: '#c8102e', image: 'https://a.example/s.jpg' },
    { code: 'away', title: 'Away', order_by: -5, status: 0, show_online: 0, game_day_access: 1 },
  ],
  'membership-types': [
    { code: 'full', category_code: 'season', title: 'Full', price: 240.5, expires: '2026-10-31T13:00:00Z' },
    { code: '007', category_code: 'away', title: 'Away', price: 0.1, offer_auto_renew: 1, status: 0 },
  ],
  'membership-payment-options': [
    { code: 'once', title: 'At once' },
    { code: 'six', title: 'Six', number_of_instalments: 6, fixed_end_date: 1_800_000_000, auto_renewal: 1, status: 0 },
  ],
  customers: [
    {
      org_customer_id: '0007',
      ...person,
      email_address: 'zoe@example.com',
      marketing_emails: true,
      add_date: 1_600_000_000,
    },
    { org_customer_id: "x'; DROP TABLE customers;--", first_name: ' spaced ', new_event_notifications: true },
  ],
  members: [
    {
      ...person,
      member_number: '0001',
      person_id: 'P-1',
      membership_type_code: 'full',
      org_customer_id: '0007',
      membership_member_status_id: 2,
      barcode: '000123',
      membership_seat_id: 90_412,
      seat_section: 'E12',
      seat_row: 'K\nback',
      date_of_birth: '1988-02-29',
      country_id: 36,
      created: 1_600_000_001,
      expires: 1_800_000_000,
      auto_renew: 1,
      instalments: true,
      membership_fulfilled: 'yes',
      fulfilled_at: 1_700_000_000,
      fulfillment_tracking_code: 'JJD1',
    },
    { member_number: '2', first_name: 'No type' },
  ],
  venues: [
    { venue_id: 'park', venue_name: 'Harbour Park' },
    { venue_id: 'hall 2', venue_name: 'Hall, the "second"' },
  ],
  events: [
    {
      code: 'round-5',
      title: 'Harbour v Rovers, "the derby"',
      url_string: 'the-derby',
      venue_id: 'park',
      buy_tickets_url: 'https://tickets.example.com/derby',
      currency: 'AUD',
      public_event: false,
      reserved_seating: true,
      utc_event_start_date: '2026-11-14T08:30:00Z',
      timezone: 'Australia/Lord_Howe',
      event_status_id: 3,
      banner_image: 'https://a.example/b.jpg',
      seat_map_code: 'park',
    },
    {
      code: '007',
      title: 'Talk',
      online_event: true,
      currency: 'GBP',
      utc_event_start_date: '2026-11-14T19:30:00+01:00',
    },
  ],
  'price-categories': [
    { event_code: 'round-5', code: 'east', title: 'East', status: 'inactive', order_by: 2 },
    { event_code: '007', code: 'east', title: 'Everywhere' },
  ],
  prices: [
    {
      event_code: 'round-5',
      code: 'family',
      category_code: 'east',
      title: 'Family',
      price: 70.1,
      rebate: 0.1,
      service_fee: 1.95,
      service_tax: 0.29,
      available_from_unix: 1_790_000_000,
      available_until_unix: 1_794_645_000,
      membership_type_code: 'full',
      show_online: false,
      show_boxoffice: false,
      status: 'inactive',
      tickets_included: 4,
      scanning_flag: 7,
      order_by: -1,
      capacity: 400,
    },
    { event_code: '007', code: 'family', category_code: 'east', title: 'Free', price: 0, capacity: 0 },
  ],
};

describe.each(['csv', 'ndjson'] as const)('what export writes as %s', (format) => {
  it('import reads into another organisation, and the export from there is the same', async () => {
    const [from, to] = [`org_from${format}`, `org_to${format}`];
    await givenOrganisation(table, from);
    await givenOrganisation(table, to);
    for (const { name } of kinds) {
      stdin = (full[name] ?? []).map((row) => `${JSON.stringify(row)}\n`).join('');
      const imported = await admin('import', name, from, '-', '--json');
      expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(imported.stdout)).toEqual({ read: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 });
    }
    for (const { name, things } of kinds) {
      const [first, second] = [files.path(`${name}-1.${format}`), files.path(`${name}-2.${format}`)];
      expect(await admin('export', name, from, first)).toMatchObject({
        exitCode: 0,
        stdout: `2 ${things} written to ${first}.`,
      });
      expect(statSync(first).mode & 0o077).toBe(0);
      expect((await admin('import', name, to, first)).stdout).toMatch(/^2 rows of .* read: 2 created,/);
      await admin('export', name, to, second);
      const [one, two] = [first, second].map((file) => files.read(file.slice(files.path('').length)));
      expect(sorted(two)).toEqual(sorted(one));
      const again = await admin('import', name, to, first, '--json');
      expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    }
    const [mine, theirs] = [await rowsOf(table, from), await rowsOf(table, to)];
    expect(theirs.members.map(({ firstName }) => firstName).sort()).toEqual(
      mine.members.map(({ firstName }) => firstName).sort(),
    );
    // The link to the customer was followed into the other organisation, not copied.
    expect(theirs.customers.map(({ id }) => id)).toContain(theirs.members.find(({ userId }) => userId)?.userId);
  });
});

function sorted(text: string | undefined): string[] {
  return (text ?? '').split(/(?<=\n)(?!back)/).sort();
}

describe('import', () => {
  it('tells rejected rows by line and ends with 1, the good ones being in', async () => {
    const orgId = await givenOrganisation(table, 'org_rejects');
    const file = files.write('maps.csv', 'code,title\na,A\nb,\nc,C\n');
    const plain = await admin('import', 'seat-maps', orgId, file);
    expect(plain).toEqual({
      exitCode: 1,
      stdout: '3 rows of seat maps read: 2 created, 0 updated, 0 unchanged, 1 rejected.',
      stderr: `line 3: title is missing.\n1 of 3 rows were rejected. They are in ${file}.rejected.ndjson with the reasons.`,
    });
    const chosen = files.path('elsewhere.ndjson');
    const json = await admin('import', 'seat-maps', orgId, file, '--json', '--rejected', chosen);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({ read: 3, created: 0, updated: 0, unchanged: 2, rejected: 1 });
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'rows_rejected' });
    expect(JSON.parse(files.read('elsewhere.ndjson'))).toEqual({
      line: 3,
      reason: 'title is missing.',
      row: { code: 'b', title: null },
    });
    expect(statSync(chosen).mode & 0o077).toBe(0);
  });

  it('needs an organisation and a file that are there', async () => {
    const file = files.write('any.csv', 'code,title\n');
    expect(await admin('import', 'seat-maps', 'org_nobody', file)).toMatchObject({
      exitCode: 1,
      stderr: 'There is no organisation org_nobody.',
    });
    await givenOrganisation(table, 'org_nofile');
    const missing = files.path('missing.csv');
    expect(await admin('import', 'seat-maps', 'org_nofile', missing)).toMatchObject({
      exitCode: 1,
      stderr: `There is no file ${missing}.`,
    });
  });
});

describe('export', () => {
  it('without a file writes rows, and nothing else, to stdout', async () => {
    const orgId = await givenOrganisation(table, 'org_stdout');
    stdin = 'code,title\na,"A, b"\n';
    await admin('import', 'seat-maps', orgId, '-', '--format', 'csv');
    expect(await admin('export', 'seat-maps', orgId)).toEqual({
      exitCode: 0,
      stdout: '{"code":"a","title":"A, b"}',
      stderr: '',
    });
    expect((await admin('export', 'seat-maps', orgId, '-', '--format', 'csv')).stdout).toBe('code,title\r\na,"A, b"');
  });
});
