import '../../support/streaming-runtime.ts';
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noProgress } from '../../../admin/output/progress.ts';
import { exportFile } from '../../../admin/transfer/export.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { datasetNamed, Files, importInto } from '../../support/import-files.ts';
import { givenMetadataWorld, type MetadataWorld } from '../../support/metadata-world.ts';
import { createTestTable } from '../../support/table.ts';

const files = new Files();
let table: Table;
let world: MetadataWorld;
beforeAll(async () => {
  ({ table } = await createTestTable());
  world = await givenMetadataWorld(table, 'org_files');
});
afterAll(() => files.remove());

const importCsv = (name: string, content: string, dataset = 'customers') =>
  importInto(table, { orgId: world.orgId, dataset, file: files.write(name, content) });
const rejectedIn = (name: string) =>
  files
    .read(`${name}.rejected.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const shown = () => world.resources.customer.shown();

async function exported(dataset: string, name: string): Promise<string> {
  const request = { dataset: datasetNamed(dataset), file: files.path(name), format: 'csv' as const };
  const { stdout } = process;
  const clock = { nowMs: () => Date.now() };
  await exportFile(request, { table, orgId: world.orgId, clock }, { stdout, progress: noProgress });
  return files.read(name);
}

describe('the columns metadata.x of an import', () => {
  it('are merged by key: others stay, an empty cell deletes, and the same file again changes nothing', async () => {
    await world.resources.customer.set({ kept: 'here', gone: 'x', crm: 'old' });
    const file = 'org_customer_id,metadata.crm,metadata.gone,metadata.seat-1\nC-1,new,,A 1\n';
    expect(await importCsv('merge.csv', file)).toMatchObject({ updated: 1, rejected: 0 });
    expect(await shown()).toEqual({ kept: 'here', crm: 'new', 'seat-1': 'A 1' });
    expect(await importCsv('merge.csv', file)).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await importCsv('other.csv', 'org_customer_id,postcode\nC-1,3000\n')).toMatchObject({ updated: 1 });
    expect(await shown()).toEqual({ kept: 'here', crm: 'new', 'seat-1': 'A 1' });
  });

  it.each([
    ['a value of 251 characters', 'crm', 'x'.repeat(251), 'metadata.crm must be a string of at most 250 characters'],
    ['a value with a control character', 'crm', 'a\u0001', 'metadata.crm must be a string of at most 250 characters'],
  ])('with %s reject the row by its line, and nothing of it is saved', async (_what, key, value, reason) => {
    const before = await shown();
    const file = `org_customer_id,first_name,metadata.${key}\nC-1,Eve,${value}\n`;
    expect(await importCsv('limits.csv', file)).toMatchObject({ rejected: 1 });
    expect(rejectedIn('limits.csv')).toMatchObject([{ line: 2, reason: expect.stringContaining(reason) }]);
    expect(await shown()).toEqual(before);
    expect(await world.listed('list-customers')).toMatchObject({ org_customer_id: 'C-1', first_name: 'Ada' });
  });

  it('are judged with what the resource has: 20 pairs and 2 KB in all', async () => {
    await world.resources.customer.set(null);
    const names = Array.from({ length: 20 }, (_, index) => `metadata.k${index}`);
    const file = `org_customer_id,${names.join(',')}\nC-1,${names.map(() => 'x').join(',')}\n`;
    expect(await importCsv('twenty.csv', file)).toMatchObject({ updated: 1 });
    expect(await importCsv('more.csv', 'org_customer_id,metadata.k20\nC-1,x\n')).toMatchObject({ rejected: 1 });
    expect(rejectedIn('more.csv')).toMatchObject([
      { line: 2, reason: expect.stringMatching(/^metadata would have 21 pairs, and the limit is 20\./) },
    ]);
    await world.resources.customer.set(null);
  });

  it.each(['metadata.Seat', 'metadata.', 'metadata', 'metadata.constructor', `metadata.${'k'.repeat(41)}`])(
    'refuse a header with %s',
    async (column) => {
      const refused = importCsv('header.csv', `org_customer_id,${column}\nC-1,x\n`);
      await expect(refused).rejects.toThrow(/unknown columns.*metadata\.<key>/);
    },
  );

  it('leave pairs alone that somebody else deletes between the reading and the saving of a row', async () => {
    const { event } = world.resources;
    await event.set({ gone: 'x', kept: 'here' });
    let isSaving = false;
    const racing = faultyTable(
      table,
      async (send) => {
        await send();
        // The first item that the row reads is the event.
        if (isSaving) await event.set({ gone: null });
        isSaving = false;
      },
      /^Get/,
    );
    const [, line = ''] = (await exported('events', 'events.csv')).split('\r\n');
    const context = { table: racing, orgId: world.orgId, clock: { nowMs: Date.now } };
    const importer = await datasetNamed('events').importer(context);
    isSaving = true;
    const checked = importer.check({
      code: line.split(',')[0],
      title: 'Final, moved',
    });
    expect('save' in checked && (await checked.save())).toBe('updated');
    expect(await event.shown()).toEqual({ kept: 'here' });
    await event.set(null);
    racing.client.destroy();
  });

  it('alone change a resource whose other columns stay', async () => {
    const [, line = ''] = (await exported('events', 'events.csv')).split('\r\n');
    const file = `code,metadata.crm\n${line.split(',')[0]},A-1\n`;
    expect(await importCsv('crm.csv', file, 'events')).toMatchObject({ updated: 1 });
    expect(await importCsv('crm.csv', file, 'events')).toMatchObject({ unchanged: 1 });
    expect(await world.resources.event.shown()).toEqual({ crm: 'A-1' });
    await world.resources.event.set(null);
  });

  it('exist only where there is metadata: a venue has none', async () => {
    await expect(importCsv('venues.csv', 'venue_id,metadata.crm\npark,x\n', 'venues')).rejects.toThrow(
      'unknown columns',
    );
  });

  it('of NDJSON must be text, and a field that is no column is refused', async () => {
    const lines = [{ 'metadata.crm': 7 }, { metadata: { crm: 'x' } }, { 'metadata.Crm': 'x' }];
    const file = files.write(
      'bad.ndjson',
      lines.map((fields) => JSON.stringify({ org_customer_id: 'C-1', ...fields })).join('\n'),
    );
    expect(await importInto(table, { orgId: world.orgId, dataset: 'customers', file })).toMatchObject({ rejected: 3 });
    expect(rejectedIn('bad.ndjson').map(({ reason }) => reason)).toEqual([
      'metadata.crm must be text.',
      expect.stringMatching(/^metadata is not a column\. Columns: .*metadata\.<key>\./),
      expect.stringMatching(/^metadata\.Crm is not a column\./),
    ]);
  });
});

describe('the columns metadata.x of an export', () => {
  const datasetOf = {
    event: 'events',
    price: 'prices',
    'membership type': 'membership-types',
    'membership category': 'membership-categories',
    customer: 'customers',
    member: 'members',
    order: 'orders',
  } as const;

  it.each(Object.entries(datasetOf))('of the %s are in its file, and are imported from it', async (name, dataset) => {
    const resource = Object.entries(world.resources).find(([one]) => one === name)?.[1];
    await resource?.set({ crm: '=A-1', locker: '0007' });
    const [header = '', ...rows] = (await exported(dataset, `${dataset}.csv`)).trim().split('\r\n');
    expect(header).toMatch(/,metadata\.crm,metadata\.locker$/);
    expect(rows.join('\n')).toContain(",'=A-1,0007");
    await resource?.set(null);
    expect((await exported(dataset, 'none.csv')).split('\r\n')[0]).not.toContain('metadata');
    // The past of an order is not changed by a file.
    if (name === 'order') return;
    const file = files.path(`${dataset}.csv`);
    expect(await importInto(table, { orgId: world.orgId, dataset, file })).toMatchObject({ updated: 1, rejected: 0 });
    expect(await resource?.shown()).toEqual({ crm: '=A-1', locker: '0007' });
    await resource?.set(null);
  });

  it('a file with rows of other keys has a column for each, and no row of the export stays in the folder', async () => {
    await importCsv('two.csv', 'org_customer_id,metadata.b,metadata.a\nC-1,,one\nC-9,two,\n');
    const text = await exported('customers', 'all.csv');
    const [header = '', ...rows] = text.trim().split('\r\n');
    expect(header.split(',').slice(-2)).toEqual(['metadata.a', 'metadata.b']);
    expect(rows.find((row) => row.startsWith('C-1,'))).toMatch(/,one,$/);
    expect(rows.find((row) => row.startsWith('C-9,'))).toMatch(/,,two$/);
    expect(statSync(files.path('all.csv')).mode & 0o077).toBe(0);
    expect(readdirSync(dirname(files.path('all.csv'))).filter((name) => name.startsWith('.gateline'))).toEqual([]);
  });
});

describe('an imported order', () => {
  const row = { event_code: '', order_ref: 'B-1', order_date: 1_790_000_000, external_reference: 'cart-1' };

  async function importOrder(fields: object) {
    const { price } = world;
    const priced = await exported('prices', 'prices.csv');
    const [, line = ''] = priced.split('\r\n');
    const [event_code = '', price_code = ''] = line.split(',');
    expect(price.price_id).toBeGreaterThan(0);
    const tickets = [{ barcode: `T-${JSON.stringify(fields).length}`, price_code }];
    const file = files.write('orders.ndjson', JSON.stringify({ ...row, event_code, tickets, ...fields }));
    return importInto(table, { orgId: world.orgId, dataset: 'orders', file });
  }

  it('has the metadata and the external_reference of its row, and is not changed by a second import', async () => {
    expect(await importOrder({ 'metadata.crm': 'A-1' })).toMatchObject({ created: 1, rejected: 0 });
    const text = await exported('orders', 'orders.csv');
    expect(text).toMatch(/,cart-1,A-1\r\n/);
    expect(await importOrder({ 'metadata.crm': 'A-2' })).toMatchObject({ unchanged: 1 });
    expect(await exported('orders', 'orders.csv')).toBe(text);
  });

  it('with metadata or a reference beyond a limit is rejected, and nothing is sold', async () => {
    const before = await exported('orders', 'orders.csv');
    for (const fields of [{ 'metadata.crm': 'x'.repeat(251) }, { external_reference: 'x'.repeat(101) }]) {
      expect(await importOrder({ order_ref: 'B-2', ...fields })).toMatchObject({ created: 0, rejected: 1 });
      const [name] = Object.keys(fields);
      expect(rejectedIn('orders.ndjson')).toMatchObject([{ reason: expect.stringMatching(new RegExp(`^${name}`)) }]);
    }
    expect(await exported('orders', 'orders.csv')).toBe(before);
  });
});
