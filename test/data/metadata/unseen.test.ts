import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { crashBefore } from '../../support/faults/faulty-table.ts';
import { givenMetadataWorld } from '../../support/metadata-world.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** All that is written to the log from now on. */
function listen(): string[] {
  const written: string[] = [];
  vi.stubEnv('LOG', '');
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  }
  return written;
}

it('metadata and external_reference stand in no log, no row of the request log and no key, whether set, refused or failed', async () => {
  const { orgId, call, page, resources } = await givenMetadataWorld(table, 'org_unseen');
  const written = listen();
  const statuses = new Set<number>();
  const sent = async (answer: Promise<{ readonly status: number }>) => statuses.add((await answer).status);
  const pair = { xanthippe: 'xanthippe' };
  for (const { set } of Object.values(resources)) {
    await sent(set({ xanthippe: 'xanthippe\u0000' }));
    await sent(set({ ...pair, 'Xanthippe!': 'x' }));
    await sent(set(pair, { table: crashBefore(table) }));
    await sent(set(pair));
  }
  const labels = { metadata: pair, external_reference: 'xanthippe' };
  await sent(call('open-basket', { body: { org: orgId, ...labels } }));
  await sent(call('open-basket', { ...page, body: { org: orgId, ...labels } }));
  vi.restoreAllMocks();

  expect([...statuses].toSorted()).toEqual([200, 201, 400, 500]);
  const requests = written.filter((line) => line.includes('"message":"request'));
  expect(requests.length).toBeGreaterThan(4 * Object.keys(resources).length);
  expect(written.filter((line) => /xanthippe/i.test(line))).toEqual([]);
  const rows = [...(await everyRow(table)).values()];
  expect(rows.filter((row) => JSON.stringify(row).includes('xanthippe')).length).toBeGreaterThan(7);
  const logged = rows.filter(({ pk }) => /^(REQ|RQL)#/.test(pk));
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.filter((row) => /xanthippe/i.test(JSON.stringify(row)))).toEqual([]);
  const keys = rows.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]) => (/^(pk|sk|by\d(pk|sk))$/.test(name) ? [String(value)] : [])),
  );
  expect(keys.filter((key) => /xanthippe/i.test(key))).toEqual([]);
});
