import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Done, noProgress } from '../../../admin/output/progress.ts';
import { datasets } from '../../../admin/transfer/datasets.ts';
import { exportFile } from '../../../admin/transfer/export.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { type Admin, adminTool, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { importExamples } from '../../support/import-examples.ts';
import { Files, rowsOf } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';

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

describe.each(['csv', 'ndjson'] as const)('export and import as %s', (format) => {
  it('copy all data into another organisation without a difference', async () => {
    const [from, to] = [`org_from${format}`, `org_to${format}`];
    await givenOrganisation(table, from);
    await givenOrganisation(table, to);
    for (const { name } of datasets) {
      stdin = (importExamples[name] ?? []).map((row) => `${JSON.stringify(row)}\n`).join('');
      const imported = await admin('import', name, from, '-', '--json');
      expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(imported.stdout)).toEqual({
        read: 2,
        created: 2,
        updated: 0,
        unchanged: 0,
        rejected: 0,
        changed: true,
      });
    }
    for (const { name, plural } of datasets) {
      const [first, second] = [files.path(`${name}-1.${format}`), files.path(`${name}-2.${format}`)];
      expect(await admin('export', name, from, first)).toMatchObject({
        exitCode: 0,
        stdout: `Wrote 2 ${plural} to ${first}.`,
      });
      expect(statSync(first).mode & 0o077).toBe(0);
      expect((await admin('import', name, to, first)).stdout).toMatch(/^2 rows of .* read: 2 created,/);
      await admin('export', name, to, second);
      const [one, two] = [first, second].map((file) => files.read(file.slice(files.path('').length)));
      expect(sorted(two).map(withoutSortKey)).toEqual(sorted(one).map(withoutSortKey));
      const again = await admin('import', name, to, first, '--json');
      expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 2, created: 0, updated: 0 });
    }
    const [mine, theirs] = [await rowsOf(table, from), await rowsOf(table, to)];
    expect(theirs.members.map(({ firstName }) => firstName).sort()).toEqual(
      mine.members.map(({ firstName }) => firstName).sort(),
    );
    // The link leads to the customer of the other organisation.
    expect(theirs.customers.map(({ id }) => id)).toContain(theirs.members.find(({ userId }) => userId)?.userId);
  });
});

/** The sort key of a scan depends on when it arrived; everything else is the same in another organisation. */
function withoutSortKey(row: string): string {
  return row.replace(/\d{10}#\w{13}/, 'sort key');
}

function sorted(text: string | undefined): string[] {
  return (text ?? '').split(/(?<=\n)(?!back)/).sort();
}

describe('admin import', () => {
  it('reports rejected rows with their line number, imports the others and exits with 1', async () => {
    const orgId = await givenOrganisation(table, 'org_rejects');
    const file = files.write('maps.csv', 'code,title\na,A\nb,\nc,C\n');
    const plain = await admin('import', 'seat-maps', orgId, file);
    expect(plain).toEqual({
      exitCode: 1,
      stdout: '3 rows of seat maps read: 2 created, 0 updated, 0 unchanged, 1 rejected.',
      stderr: `line 3: title is missing.\n1 of 3 rows were rejected. See ${file}.rejected.ndjson for the rows and the reasons.`,
    });
    const chosen = files.path('elsewhere.ndjson');
    const json = await admin('import', 'seat-maps', orgId, file, '--json', '--rejected', chosen);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toEqual({
      read: 3,
      created: 0,
      updated: 0,
      unchanged: 2,
      rejected: 1,
      changed: false,
    });
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'rows_rejected' });
    expect(JSON.parse(files.read('elsewhere.ndjson'))).toEqual({
      line: 3,
      reason: 'title is missing.',
      row: { code: 'b', title: null },
    });
    expect(statSync(chosen).mode & 0o077).toBe(0);
  });

  it('refuses an organisation or a file that does not exist', async () => {
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

describe('admin export', () => {
  it('knows how much is left of every dataset', async () => {
    const orgId = await givenOrganisation(table, 'org_share');
    for (const { name } of datasets) {
      stdin = (importExamples[name] ?? []).map((row) => `${JSON.stringify(row)}\n`).join('');
      await admin('import', name, orgId, '-');
    }
    for (const dataset of datasets) {
      const shares: unknown[] = [];
      const progress = { ...noProgress, update: (_text: string, { share }: Done) => void shares.push(share) };
      const context = { table, orgId, clock: { nowMs: () => nowMs } };
      await exportFile({ dataset, file: files.path('shares'), format: 'csv' }, context, {
        stdout: process.stdout,
        progress,
      });
      const count = importExamples[dataset.name]?.length ?? 0;
      const all = Array.from({ length: count }, (_, index) => (index + 1) / count);
      // The share of prices is that of their events.
      const expected = dataset.name === 'prices' ? all.map(() => expect.any(Number)) : all;
      expect([dataset.name, ...shares]).toEqual([dataset.name, ...expected]);
    }
  });

  it('without a file writes only rows to stdout', async () => {
    const orgId = await givenOrganisation(table, 'org_stdout');
    stdin = 'code,title\na,"A, b"\n';
    await admin('import', 'seat-maps', orgId, '-', '--format', 'csv');
    expect(await admin('export', 'seat-maps', orgId)).toEqual({
      exitCode: 0,
      stdout: '{"code":"a","title":"A, b","zones":null,"sections":null,"kinds":null}',
      stderr: '',
    });
    expect((await admin('export', 'seat-maps', orgId, '-', '--format', 'csv')).stdout).toBe(
      'code,title,zones,sections,kinds\r\na,"A, b",,,',
    );
  });
});
