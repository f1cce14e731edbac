import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberByNumber } from '../../shared/data/admin/save-member.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { savedMember } from '../../tools/fixtures/members.ts';
import { newOrganisation } from '../../tools/fixtures/membership.ts';
import { collect } from '../support/collect.ts';
import { crashingAt, datasetNamed, Files, importInto, importTimeUnix, rowsOf } from '../support/import-files.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
const files = new Files();

beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => {
  table.client.destroy();
  files.remove();
});

const rejectedRow = (index: number): boolean => index % 7 === 3;
const contents = {
  'seat-maps': Array.from({ length: 14 }, (_, index) =>
    JSON.stringify({ code: `map ${index % 11}`, title: rejectedRow(index) ? '' : `Map ${index}` }),
  ),
  customers: Array.from({ length: 14 }, (_, index) =>
    JSON.stringify({ org_customer_id: `c${index}`, email_address: rejectedRow(index) ? '?' : `c${index}@example.com` }),
  ),
  members: Array.from({ length: 14 }, (_, index) =>
    JSON.stringify({ member_number: `m${index}`, membership_type_code: rejectedRow(index) ? 'none' : 'full' }),
  ),
};

/** The data of an organisation as export rows, because ids differ between organisations. */
async function exported(orgId: string, dataset: string): Promise<unknown[]> {
  return collect(datasetNamed(dataset).rows({ table, orgId, clock: { nowMs: () => importTimeUnix * 1000 } }));
}
const byText = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe.each(Object.entries(contents))('an interrupted import of %s', (dataset, lines) => {
  it('has the same result and rejected rows after --resume, wherever it was interrupted', async () => {
    const whole = files.write('whole.ndjson', lines.join('\n'));
    const first = await newOrganisation(table);
    const expected = await importInto(table, { orgId: first, dataset, file: whole, batchRows: 3 });
    const expectedRows = byText(await exported(first, dataset));
    const expectedRejects = readFileSync(`${whole}.rejected.ndjson`, 'utf8');

    let crashes = 0;
    for (let call = 1; ; call += 3) {
      const orgId = await newOrganisation(table);
      const file = files.write('cut.ndjson', lines.join('\n'));
      const crashing = crashingAt(table, call);
      const outcome = await importInto(crashing, { orgId, dataset, file, batchRows: 3 }).catch(
        (error: unknown) => error,
      );
      crashing.client.destroy();
      if (!(outcome instanceof Error)) break;
      crashes += 1;
      expect(outcome.message).toBe('The process was killed.');
      const resumed = await importInto(table, { orgId, dataset, file, batchRows: 3, resume: true });
      expect(resumed).toMatchObject({ read: expected.read, rejected: expected.rejected });
      expect(byText(await exported(orgId, dataset))).toEqual(expectedRows);
      expect(readFileSync(`${file}.rejected.ndjson`, 'utf8')).toBe(expectedRejects);
      expect(existsSync(`${file}.checkpoint.json`)).toBe(false);
    }
    expect(crashes).toBeGreaterThan(2);
  });
});

describe('the checkpoint of an import', () => {
  it('skips the rows that are in the table', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('pass.ndjson', contents.members.join('\n'));
    const crashing = crashingAt(table, 10);
    await expect(importInto(crashing, { orgId, dataset: 'members', file, batchRows: 3 })).rejects.toThrow('killed');
    crashing.client.destroy();
    const { line } = JSON.parse(readFileSync(`${file}.checkpoint.json`, 'utf8'));
    expect(line).toBeGreaterThanOrEqual(3);
    // The type of an imported member is removed. Saving its row again would restore it.
    const member = await memberByNumber(table, orgId, 'm0');
    if (member === undefined) throw new Error('The first row is not in the table.');
    await savedMember(table, orgId, { ...member, memberNumber: 'm0', typeId: null, updatedUnix: null }, importTimeUnix);
    await importInto(table, { orgId, dataset: 'members', file, batchRows: 3, resume: true });
    expect((await rowsOf(table, orgId)).members).toHaveLength(12);
    expect(await memberByNumber(table, orgId, 'm0')).toMatchObject({ typeId: null });
  });

  it('is refused if the file has changed; an import without --resume is not', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('changed.ndjson', contents.members.join('\n'));
    const crashing = crashingAt(table, 10);
    await expect(importInto(crashing, { orgId, dataset: 'members', file, batchRows: 3 })).rejects.toThrow('killed');
    crashing.client.destroy();
    files.write('changed.ndjson', contents.members.slice(1).join('\n'));
    const again = { orgId, dataset: 'members', file, batchRows: 3 };
    await expect(importInto(table, { ...again, resume: true })).rejects.toThrow('Import it without --resume');
    expect(await importInto(table, again)).toMatchObject({ read: 13 });
    expect(existsSync(`${file}.checkpoint.json`)).toBe(false);
  });

  it('is optional: --resume without it starts at the beginning', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('fresh.ndjson', contents.customers.join('\n'));
    expect(await importInto(table, { orgId, dataset: 'customers', file, resume: true })).toMatchObject({ created: 12 });
  });
});
