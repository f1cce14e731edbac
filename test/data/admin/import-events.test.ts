import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { readStock, returnStock, takeStock } from '../../../shared/data/prices/stock.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { checkoutDepsOf } from '../../support/baskets.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_importing';
const files = new Files();
let table: Table;
let local: LocalRun;
let admin: Admin;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  local = givenLocalRun(table);
  const tool = adminTool({ localFile: local.file, nowMs: () => Date.UTC(2026, 10, 14) });
  admin = (...words) => tool(...words, '--local');
  await given('venues', 'venue_id,venue_name\npark,Old Park\n');
  await given(
    'events',
    'code,title,venue_id,currency,utc_event_start_date\nr5,Round 5,park,AUD,2026-11-14T08:30:00Z\n',
  );
  await given('price-categories', 'event_code,code,title\nr5,east,East Stand\n');
  await given(
    'prices',
    'event_code,code,category_code,title,price,capacity\nr5,adult,east,Adult,30,100\nr5,child,east,Child,12.5,50\n',
  );
});
afterAll(() => {
  local.remove();
  files.remove();
});

let written = 0;
function given(dataset: string, csv: string) {
  written += 1;
  return importInto(table, { orgId, dataset, file: files.write(`${dataset}-${written}.csv`, csv) });
}
const reasons = (): string[] =>
  files
    .read(`${rejectedDataset}-${written}.csv.rejected.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ line, reason }) => `${line}: ${reason}`);
let rejectedDataset = '';
async function refused(dataset: string, csv: string): Promise<string[]> {
  rejectedDataset = dataset;
  await given(dataset, csv);
  return reasons();
}
const round5 = () => readEvent(table, orgId, derivedEventId(orgId, 'r5'));
const stockOf = async (index: number) => (await readStock(table, orgId, derivedEventId(orgId, 'r5'))).get(index);

describe('import events', () => {
  it('takes missing columns from the organisation and from the title', async () => {
    expect(await round5()).toMatchObject({
      title: 'Round 5',
      urlString: 'round-5',
      venueName: 'Old Park',
      timezone: 'Australia/Melbourne',
      statusId: 0,
      startUnix: Date.UTC(2026, 10, 14, 8, 30) / 1000,
    });
  });

  it('copies a new venue name to its events, by a job that begins with the change', async () => {
    await given('venues', 'venue_id,venue_name\npark,Harbour Park\n');
    const deps = checkoutDepsOf(table, orgId);
    deps.nowUnix += 86_400;
    await runDueJobs(deps);
    expect(await round5()).toMatchObject({ venueName: 'Harbour Park' });
  });

  it('rejects rows with missing references, bad values or a changed currency, with their line number', async () => {
    const head = 'code,title,venue_id,seat_map_code,currency,timezone,utc_event_start_date\n';
    expect(
      await refused(
        'events',
        `${head}a,A,nowhere,,AUD,,2026-11-14T08:30:00Z\nb,B,,none,AUD,,2026-11-14T08:30:00Z\nc,C,,,CLF,,2026-11-14T08:30:00Z\nd,D,,,AUD,Mars/Base,2026-11-14T08:30:00Z\ne,E,,,AUD,,2026-02-30T08:30:00Z\nr5,Round 5,,,NZD,,2026-11-14T08:30:00Z\nf,F,,,AUD,,2300-01-01T00:00:00Z\n`,
      ),
    ).toEqual([
      '2: venue_id "nowhere" does not exist.',
      '3: seat_map_code "none" does not exist.',
      '4: currency must be the code of a currency, such as AUD.',
      '5: timezone must be an IANA time zone, such as Australia/Melbourne.',
      '6: utc_event_start_date must be a time such as 2026-10-31T13:00:00Z.',
      '7: currency cannot change after an event has prices: their amounts would change.',
      '8: utc_event_start_date must be between 1970 and 2286.',
    ]);
  });
});

describe('import prices', () => {
  it('numbers prices within their event in the order of the file', async () => {
    const { prices } = await readPriceList(table, orgId, derivedEventId(orgId, 'r5'));
    expect(prices.map(({ code, index, priceMinor }) => [code, index, priceMinor])).toEqual([
      ['adult', 1, 3_000],
      ['child', 2, 1_250],
    ]);
    expect(await stockOf(2)).toMatchObject({ avail: 50, capacity: 50 });
  });

  it('rejects rows with missing references or contradictions, with their line number', async () => {
    const head = 'event_code,code,category_code,title,price,rebate,capacity,available_from_unix,available_until_unix\n';
    expect(
      await refused(
        'prices',
        `${head}no,a,east,A,1,0,1,,\nr5,a,west,A,1,0,1,,\nr5,a,east,A,1,2,1,,\nr5,a,east,A,1,0,1,20,10\nr5,a,east,A,0.001,0,1,,\nr5,a,east,A,0.0001,0,1,,\nr5,a,east,A,1,0,,,\n`,
      ),
    ).toEqual([
      '2: event_code "no" does not exist.',
      '3: category_code "west" does not exist in the event.',
      '4: rebate must not be more than price.',
      '5: available_from_unix must be before available_until_unix.',
      '6: price must have at most 2 decimals: the currency is AUD.',
      '7: price must be a number of at least 0 with at most three decimals, such as 240.5.',
      '8: capacity is missing: only a price with pool_code can do without.',
    ]);
    const limit = 'event_code,code,category_code,title,price,capacity,max_per_member\n';
    expect(await refused('prices', `${limit}r5,a,east,A,1,1,2\nr5,a,east,A,1,1,0\n`)).toEqual([
      '2: max_per_member needs membership_type_code: only members have a limit.',
      expect.stringContaining('3: max_per_member must be'),
    ]);
    expect(await refused('price-categories', 'event_code,code,title\nno,a,A\n')).toEqual([
      '2: event_code "no" does not exist.',
    ]);
  });

  it('changes the available stock with the capacity, but not below what is taken', async () => {
    const [child] = (await readPriceList(table, orgId, derivedEventId(orgId, 'r5'))).prices.slice(1);
    if (child === undefined) throw new Error('There is no child price.');
    await transact(table, [takeStock(table, orgId, child, 20)]);
    expect(await given('prices', 'event_code,code,capacity\nr5,child,60\n')).toMatchObject({ updated: 1 });
    expect(await stockOf(2)).toMatchObject({ avail: 40, capacity: 60 });
    expect(await refused('prices', 'event_code,code,capacity\nr5,child,19\n')).toEqual([
      '2: capacity must be at least 20, the number of tickets that are held or sold.',
    ]);
    expect(await stockOf(2)).toMatchObject({ avail: 40, capacity: 60 });
  });
});

describe('import pools', () => {
  it('creates pools and prices that share them, and exports them as they were', async () => {
    expect(await given('pools', 'event_code,code,title,capacity\nr5,terrace,Terrace,500\n')).toMatchObject({
      created: 1,
    });
    const rows = 'r5,t-adult,east,Adult,20,terrace,,19\nr5,t-junior,east,Junior,10,terrace,50,7.7\n';
    const head = 'event_code,code,category_code,title,price,pool_code,capacity,tax_rate\n';
    expect(await given('prices', head + rows)).toMatchObject({ created: 2 });
    expect(await given('prices', head + rows)).toMatchObject({ unchanged: 2 });
    const eventId = derivedEventId(orgId, 'r5');
    const { prices } = await readPriceList(table, orgId, eventId);
    const shared = prices.filter(({ poolIndex }) => poolIndex !== null);
    expect(shared).toMatchObject([
      { code: 't-adult', poolIndex: 511, ownStock: false, taxRate: 19 },
      { code: 't-junior', poolIndex: 511, ownStock: true, taxRate: 7.7 },
    ]);
    expect(await stockOf(511)).toEqual({ avail: 500, capacity: 500 });
    expect((await admin('export', 'pools', orgId, '--format', 'csv')).stdout).toContain('r5,terrace,Terrace,500');
  });

  it('refuses a pool of another event, too small a capacity, and other stocks for a price that has sold', async () => {
    await given('events', 'code,title,currency,utc_event_start_date\nr6,Round 6,AUD,2026-11-21T08:30:00Z\n');
    await given('pools', 'event_code,code,title,capacity\nr6,lawn,Lawn,10\n');
    expect(await refused('prices', 'event_code,code,pool_code\nr5,child,lawn\n')).toEqual([
      '2: pool_code "lawn" does not exist in the event.',
    ]);
    expect(await refused('prices', 'event_code,code,tax_rate\nr5,child,100.5\n')).toEqual([
      '2: tax_rate must be a number from 0 to 100 with at most three decimals, such as 7.7.',
    ]);
    const eventId = derivedEventId(orgId, 'r5');
    await transact(table, [takeStock(table, orgId, { eventId, index: 511 }, 30)]);
    expect(await refused('pools', 'event_code,code,capacity\nr5,terrace,29\n')).toEqual([
      '2: capacity must be at least 30, the number of places that are held or sold.',
    ]);
    expect(await refused('prices', 'event_code,code,pool_code,capacity\nr5,t-adult,,100\n')).toEqual([
      '2: pool_code, and whether there is a capacity, cannot change while 30 tickets are held or sold.',
    ]);
    expect(await stockOf(511)).toEqual({ avail: 470, capacity: 500 });
    await transact(table, [returnStock(table, orgId, { eventId, index: 511 }, 30)]);
  });
});

describe('admin edit', () => {
  it('changes only the given fields', async () => {
    const before = await round5();
    expect(await admin('edit', 'event', orgId, 'r5', '--event-status-id', '1', '--title', 'Round five')).toMatchObject({
      exitCode: 0,
      stdout: 'Changed.',
    });
    expect(await round5()).toEqual({
      ...before,
      statusId: 1,
      title: 'Round five',
      version: (before?.version ?? 0) + 1,
    });
    expect(await admin('edit', 'event', orgId, 'r5', '--event-status-id', '1')).toMatchObject({
      stdout: 'Nothing changed.',
    });
    await admin('edit', 'event', orgId, 'r5', '--venue-id', '');
    expect(await round5()).toMatchObject({ venueId: null, venueName: null });
  });

  it('changes a price by the rules of import', async () => {
    expect(
      await admin('edit', 'price', orgId, 'r5', 'adult', '--status', 'inactive', '--capacity', '90', '--yes'),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(await stockOf(1)).toMatchObject({ avail: 90, capacity: 90 });
    expect(await admin('edit', 'price', orgId, 'r5', 'adult', '--status', 'gone')).toMatchObject({
      exitCode: 1,
      stderr: 'status must be active or inactive.',
    });
    expect(await admin('edit', 'price', orgId, 'r5', 'adult', '--max-per-member', '2')).toMatchObject({
      exitCode: 1,
      stderr: 'max_per_member needs membership_type_code: only members have a limit.',
    });
    expect(await admin('edit', 'price-category', orgId, 'r5', 'east', '--title', 'East')).toMatchObject({
      exitCode: 0,
    });
    expect(await admin('edit', 'venue', orgId, 'park', '--venue-name', 'The Park')).toMatchObject({ exitCode: 0 });
  });

  it('refuses a row that does not exist and a command without fields', async () => {
    expect(await admin('edit', 'event', orgId, 'nothing', '--title', 'X')).toMatchObject({
      exitCode: 1,
      stderr: `${orgId} has no event nothing.`,
    });
    expect((await admin('edit', 'event', orgId, 'r5')).exitCode).toBe(2);
  });
});
