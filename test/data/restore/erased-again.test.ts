import { afterAll, describe, expect, it, vi } from 'vitest';
import { eraseAgainIn } from '../../../admin/person/erase-again.ts';
import { saveErasure } from '../../../shared/data/admin/erasures.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { anOrder } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { givenOnSale, noonUnix } from '../../support/baskets.ts';
import { Files } from '../../support/import-files.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';
import { givenSoldOut, join } from '../../support/waiting-list.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
let nowUnix = noonUnix;
const clock = { nowMs: () => nowUnix * 1000 };
const { table, admin } = await givenAdmin(clock.nowMs);
const files = new Files();
afterAll(() => files.remove());

const orgId = 'org_erasedagain';
const run = { clock, requestId: 'restore' };

/** The table as it is now, as a restore brings it back later. */
async function pointInTime(): Promise<Table> {
  const { table: restored } = await createTestTable();
  await putItems(restored, [...(await everyRow(table)).values()]);
  return restored;
}

async function textOf(of: Table): Promise<string> {
  return JSON.stringify([...(await everyRow(of)).values()]).toLowerCase();
}

const erase = async (...whom: readonly string[]) => {
  nowUnix += 60;
  return documentOf(admin, 'customer', 'erase', orgId, ...whom, '--yes');
};

describe('a restored table', () => {
  it('erases again who was erased after its point in time, customer or not, and nobody who came back after an erasure before it', async () => {
    await givenOrganisation(table, orgId);
    const { event } = await givenOnSale(table, orgId);
    const person = { firstName: 'Xanthippe', lastName: 'Quixley', emailAddress: 'quixley@trace.example' };
    await givenCustomer(table, orgId, { orgCustomerId: 'C-1', ...person });
    await givenCustomer(table, orgId, { orgCustomerId: 'C-2', firstName: 'Zeno' });
    await erase('C-2');
    nowUnix += 60;
    await saveCustomer(table, orgId, { orgCustomerId: 'C-2', firstName: 'Zeno' }, nowUnix);
    const friend = { firstName: 'Friend', emailAddress: 'friend@trace.example', userId: null };
    await writeOrder(table, orgId, anOrder({ eventId: event.eventId, ...friend }));
    const [restored, fromFile] = [await pointInTime(), await pointInTime()];

    await erase('C-1');
    expect(await erase('friend@trace.example', '--email')).toMatchObject({ erased: { orders: 1 } });
    await givenCustomer(table, orgId, { orgCustomerId: 'C-3', firstName: 'Later' });
    await erase('C-3');
    expect(await textOf(table)).not.toContain('trace.example');
    expect(await textOf(restored)).toContain('trace.example');

    expect(await eraseAgainIn(restored, { before: table, file: undefined }, run)).toBe(2);
    for (const trace of ['xanthippe', 'quixley', 'trace.example']) expect(await textOf(restored)).not.toContain(trace);
    expect(await findCustomer(restored, orgId, 'C-2')).toMatchObject({ firstName: 'Zeno' });
    expect(await eraseAgainIn(restored, { before: table, file: undefined }, run)).toBe(0);

    // If the table cannot be read, the list that was printed is used.
    const { stdout } = await admin('customer', 'erasures', '--local');
    expect(stdout).not.toContain('trace.example');
    const file = files.write('erasures.ndjson', `${stdout}\n`);
    expect(await eraseAgainIn(fromFile, { before: undefined, file }, run)).toBe(2);
    expect(await textOf(fromFile)).not.toContain('trace.example');
  });

  it('completes an erasure that was under way at its point in time', async () => {
    await givenCustomer(table, orgId, { orgCustomerId: 'C-9', firstName: 'Halfway' });
    const customer = await findCustomer(table, orgId, 'C-9');

    nowUnix += 60;
    const begun = {
      orgId,
      userId: customer?.userId ?? 0,
      addressHash: null,
      untaggedHash: null,
      orderIds: [],
      memberIds: [],
      startedUnix: nowUnix,
      doneUnix: null,
    };
    await saveErasure(table, begun);
    const restored = await pointInTime();
    await erase('C-9');
    await eraseAgainIn(restored, { before: table, file: undefined }, run);
    expect(await textOf(restored)).not.toContain('halfway');
  });

  it.each([
    ['ada+cup@tagged.example', 'ada@tagged.example'],
    ['ada@tagged.example', 'ada+cup@tagged.example'],
  ])('has no entry of a waiting list for %s after %s was erased', async (typed, erased) => {
    const { deps, price } = await givenSoldOut(table, 1);
    await join(deps, price, typed);
    const restored = await pointInTime();
    await documentOf(admin, 'customer', 'erase', deps.orgId, erased, '--email', '--yes');
    expect(await textOf(table)).not.toContain('tagged.example');
    expect(await eraseAgainIn(restored, { before: table, file: undefined }, run)).toBeGreaterThan(0);
    expect(await textOf(restored)).not.toContain('tagged.example');
  });

  it('keeps the whole list, for another restore to a later time', async () => {
    const early = await pointInTime();
    await givenCustomer(table, orgId, { orgCustomerId: 'C-20', firstName: 'Hypatia' });
    const later = await pointInTime();
    await erase('C-20');
    await eraseAgainIn(early, { before: table, file: undefined }, run);
    await eraseAgainIn(later, { before: early, file: undefined }, run);
    expect(await textOf(later)).not.toContain('hypatia');
  });
});
