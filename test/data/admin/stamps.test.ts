import { afterAll, describe, expect, it } from 'vitest';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenEvent, givenPrice, givenPriceCategory, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { givenAdmin } from '../../support/admin.ts';
import { Files } from '../../support/import-files.ts';

const startUnix = 1_790_000_000;
const minute = 60;
let readings = 0;
/** Each reading of the clock is a minute after the one before, as if every write took that long. */
const { table, admin } = await givenAdmin(() => (startUnix + minute * readings++) * 1000);
const files = new Files();
afterAll(() => files.remove());

const orgId = 'org_stamps';
await givenOrganisation(table, orgId);

async function imported(dataset: string, ...rows: readonly object[]): Promise<void> {
  const file = files.write(`${dataset}.ndjson`, rows.map((row) => JSON.stringify(row)).join('\n'));
  expect(await admin('import', dataset, orgId, file, '--local', '--json')).toMatchObject({ exitCode: 0, stderr: '' });
}

describe('a client that asks for changes since its last request, while a command writes for minutes', () => {
  it('is shown members that an import writes after the request', async () => {
    const created = startUnix - 99 * minute;
    await imported('members', { member_number: 'A1', created }, { member_number: 'A2', created });
    const stamps = await Promise.all(
      ['A1', 'A2'].map(async (number) => (await memberByNumber(table, orgId, number))?.updatedUnix ?? 0),
    );
    const [first = 0, second = 0] = stamps.toSorted();
    expect(second).toBeGreaterThanOrEqual(first + minute);
    const found: unknown[] = [];
    for await (const members of everyMember(table, orgId, planMembers({ updatedSince: second - 1 })))
      found.push(...members);
    expect(found).toHaveLength(1);
  });

  it('is shown customers that an import writes after the request', async () => {
    const add_date = startUnix - 99 * minute;
    await imported('customers', { org_customer_id: 'c1', add_date }, { org_customer_id: 'c2', add_date });
    const stamps = await Promise.all(
      ['c1', 'c2'].map(async (id) => (await findCustomer(table, orgId, id, { consistent: true }))?.updatedUnix ?? 0),
    );
    const [first = 0, second = 0] = stamps.toSorted();
    expect(second).toBeGreaterThanOrEqual(first + minute);
  });

  it('is shown tickets that an import writes after the request, for gates without a connection', async () => {
    const eventId = derivedEventId(orgId, 'r5');
    await givenEvent(table, orgId, { code: 'r5' });
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', capacity: 9 });
    const order = (order_ref: string) => ({
      order_ref,
      event_code: 'r5',
      order_date: startUnix - 99 * minute,
      tickets: [{ barcode: `ticket-${order_ref}`, price_code: 'adult' }],
    });
    const beganUnix = startUnix + minute * readings;
    await imported('orders', order('1'), order('2'));
    const event = { eventId, startUnix: kickOffUnix };
    const listing = { orgId, event, after: undefined, limit: 100 };
    const { rows } = await readOfflinePage(table, { ...listing, updatedSince: undefined });
    const stamps = rows.map((row) => ('ticket' in row ? (row.ticket.updatedUnix ?? 0) : 0)).toSorted();
    expect(stamps).toHaveLength(2);
    expect(stamps[1]).toBeGreaterThanOrEqual((stamps[0] ?? 0) + minute);
    expect(stamps[0]).toBeGreaterThan(beganUnix);
  });

  it('is shown a customer that an erasure reaches after the request', async () => {
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'x', emailAddress: 'x@example.com' });
    await imported('members', { member_number: 'X', org_customer_id: 'x', first_name: 'Xanthippe' });
    expect(await admin('customer', 'erase', orgId, 'x', '--yes', '--local', '--json')).toMatchObject({ exitCode: 0 });
    // The member is erased first.
    const memberUnix = (await memberByNumber(table, orgId, 'X'))?.updatedUnix ?? 0;
    expect((await readCustomer(table, orgId, userId))?.updatedUnix).toBeGreaterThanOrEqual(memberUnix + minute);
  });
});
