import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberByNumber } from '../../shared/data/admin/save-member.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { collect } from '../support/collect.ts';
import { savedMember } from '../support/members.ts';
import { newOrganisation } from '../support/membership.ts';
import { crashingAt, Files, importInto, importTimeUnix, kindNamed, rowsOf } from '../support/membership-files.ts';
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

/** What the organisation holds, in the form of files: ids are drawn anew in each. */
async function exported(orgId: string, kind: string): Promise<unknown[]> {
  return collect(kindNamed(kind).rows({ table, orgId, nowUnix: importTimeUnix }));
}
const byText = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe.each(Object.entries(contents))('an import of %s that is cut off', (kind, lines) => {
  it('ends, when it is resumed, in the same table and the same rejected rows, wherever that was', async () => {
    const whole = files.write('whole.ndjson', lines.join('\n'));
    const first = await newOrganisation(table);
    const expected = await importInto(table, { orgId: first, kind, file: whole, batchRows: 3 });
    const expectedRows = byText(await exported(first, kind));
    const expectedRejects = readFileSync(`${whole}.rejected.ndjson`, 'utf8');

    let crashes = 0;
    for (let call = 1; ; call += 3) {
      const orgId = await newOrganisation(table);
      const file = files.write('cut.ndjson', lines.join('\n'));
      const crashing = crashingAt(table, call);
      const outcome = await importInto(crashing, { orgId, kind, file, batchRows: 3 }).catch((error: unknown) => error);
      crashing.client.destroy();
      if (!(outcome instanceof Error)) break;
      crashes += 1;
      expect(outcome.message).toBe('The process was killed.');
      const resumed = await importInto(table, { orgId, kind, file, batchRows: 3, resume: true });
      expect(resumed).toMatchObject({ read: expected.read, rejected: expected.rejected });
      expect(byText(await exported(orgId, kind))).toEqual(expectedRows);
      expect(readFileSync(`${file}.rejected.ndjson`, 'utf8')).toBe(expectedRejects);
      expect(existsSync(`${file}.checkpoint.json`)).toBe(false);
    }
    expect(crashes).toBeGreaterThan(2);
  });
});

describe('a checkpoint', () => {
  it('lets rows that are surely in be passed over', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('pass.ndjson', contents.members.join('\n'));
    const crashing = crashingAt(table, 10);
    await expect(importInto(crashing, { orgId, kind: 'members', file, batchRows: 3 })).rejects.toThrow('killed');
    crashing.client.destroy();
    const { line } = JSON.parse(readFileSync(`${file}.checkpoint.json`, 'utf8'));
    expect(line).toBeGreaterThanOrEqual(3);
    // Somebody takes the type from a member who is in; a second save of the row would give it back.
    const member = await memberByNumber(table, orgId, 'm0');
    if (member === undefined) throw new Error('The first row is not in the table.');
    await savedMember(table, orgId, { ...member, memberNumber: 'm0', typeId: null, updatedUnix: null }, importTimeUnix);
    await importInto(table, { orgId, kind: 'members', file, batchRows: 3, resume: true });
    expect((await rowsOf(table, orgId)).members).toHaveLength(12);
    expect(await memberByNumber(table, orgId, 'm0')).toMatchObject({ typeId: null });
  });

  it('of a file that has changed since is refused, and an import from the beginning is not', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('changed.ndjson', contents.members.join('\n'));
    const crashing = crashingAt(table, 10);
    await expect(importInto(crashing, { orgId, kind: 'members', file, batchRows: 3 })).rejects.toThrow('killed');
    crashing.client.destroy();
    files.write('changed.ndjson', contents.members.slice(1).join('\n'));
    const again = { orgId, kind: 'members', file, batchRows: 3 };
    await expect(importInto(table, { ...again, resume: true })).rejects.toThrow('Import it without --resume');
    expect(await importInto(table, again)).toMatchObject({ read: 13 });
    expect(existsSync(`${file}.checkpoint.json`)).toBe(false);
  });

  it('that is not there means from the beginning', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('fresh.ndjson', contents.customers.join('\n'));
    expect(await importInto(table, { orgId, kind: 'customers', file, resume: true })).toMatchObject({ created: 12 });
  });
});
