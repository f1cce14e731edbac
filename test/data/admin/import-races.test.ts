import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { approximateMemberCount } from '../../../shared/data/members/count.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { category, membershipType, newOrganisation } from '../../../tools/fixtures/membership.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { Files, importInto, importTimeUnix, overtaking } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;
const files = new Files();

beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => {
  table.client.destroy();
  files.remove();
});

const overtaken = (command: string, overtake: () => Promise<unknown>) => overtaking(table, command, 1, overtake);

const lines = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

describe('an import whose write succeeded but whose response was lost', () => {
  /** The same table: transactions are carried out, but the first responses are lost, until the save itself gives up. */
  const losing = (responses: number, commands?: RegExp) =>
    faultyTable(
      table,
      async (send, attempt) => {
        await send();
        if (attempt <= responses) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      },
      commands,
    );

  it.each([
    ['customers', { org_customer_id: 'c', first_name: 'Ann' }, { org_customer_id: 'c', first_name: 'Anna' }, 1],
    ['members', { member_number: '1', first_name: 'Ann' }, { member_number: '1', first_name: 'Anna' }, 12],
  ])('counts %s as created and updated', async (dataset, first, second, responses) => {
    const orgId = await newOrganisation(table);
    const importing = (name: string, row: object, through: Table) =>
      importInto(through, { orgId, dataset, file: files.write(`${dataset}-${name}.ndjson`, lines(row)) });
    const [created, updated] = [losing(responses), losing(responses)];
    expect(await importing('created', first, created)).toMatchObject({ created: 1, unchanged: 0 });
    expect(await importing('updated', second, updated)).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await importing('again', second, table)).toMatchObject({ unchanged: 1, updated: 0 });
    if (dataset === 'members') expect(await approximateMemberCount(table, orgId)).toBe(1);
    created.client.destroy();
    updated.client.destroy();
  });

  it('counts an order as created once, if its write arrives after the table was asked for it again', async () => {
    const orgId = await newOrganisation(table);
    await givenEvent(table, orgId, { code: 'r6' });
    const eventId = derivedEventId(orgId, 'r6');
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', capacity: 9 });
    let late: (() => Promise<unknown>) | undefined;
    const busy = faultyTable(table, async (send, attempt) => {
      if (attempt > 1) {
        await late?.();
        return send();
      }
      late = send;
      await setTimeout(50);
      throw Object.assign(new Error('The table did not answer in time.'), { name: 'TimeoutError' });
    });
    const tickets = [{ barcode: 'late1', price_code: 'adult' }];
    const order = { order_ref: 'L', event_code: 'r6', order_date: 1_780_000_000, tickets };
    const file = files.write('late.ndjson', lines(order));
    // The first attempt of the transaction has no time left when it fails, so the row is saved again.
    const counts = await importInto({ ...busy, transactionMs: 20 }, { orgId, dataset: 'orders', file });
    expect(counts).toMatchObject({ created: 1, unchanged: 0 });
    expect(await importInto(table, { orgId, dataset: 'orders', file })).toMatchObject({ created: 0, unchanged: 1 });
    busy.client.destroy();
  });

  const price = { event_code: 'r5', code: 'adult', category_code: 'east', price: 30, capacity: 9 };
  const order = { order_ref: 'A', event_code: 'r5', order_date: 1_780_000_000 };
  const scan = { event_code: 'r5', scan_ref: 's1', barcode: 'a1', scanned_at: 1_780_000_100 };
  /** A new row of each dataset in an order in which all can be imported, and a change of it. How many responses are lost. */
  const others: readonly (readonly [dataset: string, row: object, change: object | undefined, responses: number])[] = [
    ['venues', { venue_id: 'park', venue_name: 'Park' }, { venue_name: 'Harbour Park' }, 1],
    ['membership-categories', { code: 'season-2', title: 'Season' }, { title: 'Full season' }, 1],
    [
      'membership-types',
      { code: 'full-2', category_code: 'season-2', title: 'Full', price: 10 },
      { title: 'Complete' },
      1,
    ],
    ['membership-payment-options', { code: 'yearly', title: 'Once a year' }, { title: 'Yearly' }, 1],
    [
      'events',
      { code: 'r5', title: 'Round 5', currency: 'AUD', utc_event_start_date: '2026-11-14T08:30:00Z' },
      { title: 'Round five' },
      12,
    ],
    ['price-categories', { event_code: 'r5', code: 'east', title: 'East' }, { title: 'East stand' }, 1],
    ['prices', { ...price, title: 'Adult' }, { title: 'Grown-up', capacity: 12 }, 12],
    ['code-campaigns', { title: 'Sponsors', effect: 'percent', value: 20 }, { value: 25 }, 12],
    ['codes', { code: 'EARLY10', campaign_title: 'Sponsors' }, undefined, 12],
    ['phases', { event_code: 'r5', title: 'Everyone' }, { max_per_person: 4 }, 12],
    ['orders', { ...order, tickets: [{ barcode: 'a1', price_code: 'adult' }] }, undefined, 12],
    ['scans', { ...scan, result: 'ok', direction: 'in' }, undefined, 12],
  ];

  longTest(
    'counts the rows of all other datasets as created and updated',
    async () => {
      const orgId = await newOrganisation(table);
      for (const [dataset, row, change, responses] of others) {
        const importing = async (rows: object, lost: number) => {
          const through = losing(lost, lost === 1 ? /^Put/ : undefined);
          const file = files.write(`${dataset}-lost.ndjson`, lines(rows));
          const { created, updated, unchanged, rejected } = await importInto(through, { orgId, dataset, file });
          through.client.destroy();
          return { dataset, created, updated, unchanged, rejected };
        };
        const none = { dataset, created: 0, updated: 0, unchanged: 0, rejected: 0 };
        expect(await importing(row, responses)).toEqual({ ...none, created: 1 });
        expect(await importing(row, 0)).toEqual({ ...none, unchanged: 1 });
        if (change === undefined) continue;
        expect(await importing({ ...row, ...change }, responses)).toEqual({ ...none, updated: 1 });
        expect(await importing({ ...row, ...change }, 0)).toEqual({ ...none, unchanged: 1 });
      }
    },
    120_000,
  );
});

describe('columns that an import file does not have', () => {
  it('keep a concurrent change of the customer', async () => {
    const orgId = await newOrganisation(table);
    await saveCustomer(table, orgId, { orgCustomerId: 'c', firstName: 'Ann', lastName: 'Low' }, importTimeUnix);
    const slow = overtaken('TransactWrite', () =>
      saveCustomer(table, orgId, { orgCustomerId: 'c', lastName: 'High', postcode: '3000' }, importTimeUnix),
    );
    const file = files.write('c.ndjson', lines({ org_customer_id: 'c', first_name: 'Anna' }));
    expect(await importInto(slow, { orgId, dataset: 'customers', file })).toMatchObject({ updated: 1 });
    slow.client.destroy();
    expect(await findCustomer(table, orgId, 'c')).toMatchObject({
      firstName: 'Anna',
      lastName: 'High',
      postcode: '3000',
    });
  });

  it('keep a concurrent change of the member', async () => {
    const orgId = await newOrganisation(table);
    const given = { member_number: '1', membership_type_code: 'full', first_name: 'Ann', last_name: 'Low' };
    await importInto(table, { orgId, dataset: 'members', file: files.write('m1.ndjson', lines(given)) });
    const other = files.write('m2.ndjson', lines({ member_number: '1', last_name: 'High', auto_renew: 1 }));
    const slow = overtaken('TransactWrite', () => importInto(table, { orgId, dataset: 'members', file: other }));
    const file = files.write('m3.ndjson', lines({ member_number: '1', first_name: 'Anna' }));
    expect(await importInto(slow, { orgId, dataset: 'members', file })).toMatchObject({ updated: 1 });
    slow.client.destroy();
    expect(await memberByNumber(table, orgId, '1')).toMatchObject({
      firstName: 'Anna',
      lastName: 'High',
      autoRenew: true,
      typeTitle: membershipType(orgId, 'full').title,
    });
  });
});

describe('the copy of the membership type in imported members', () => {
  const retitle = async (orgId: string, title: string): Promise<void> => {
    const editor = await MembershipConfigEditor.open(table, orgId);
    await editor.save(membershipType(orgId, 'full', { title }));
    await editor.refreshMembers();
  };

  it('is current, also if the type changes during the import', async () => {
    const orgId = await newOrganisation(table);
    const slow = overtaken('TransactWrite', () => retitle(orgId, 'Changed meanwhile'));
    const file = files.write('m4.ndjson', lines({ member_number: '1', membership_type_code: 'full' }));
    await importInto(slow, { orgId, dataset: 'members', file });
    slow.client.destroy();
    expect(await memberByNumber(table, orgId, '1')).toMatchObject({ typeTitle: 'Changed meanwhile' });
  });

  it('is current for type and category, if one changes while the other is being copied', async () => {
    const orgId = await newOrganisation(table);
    const file = files.write('m5.ndjson', lines({ member_number: '1', membership_type_code: 'full' }));
    await importInto(table, { orgId, dataset: 'members', file });

    // The slow client has read everything. Before it rewrites the member, the other client makes its whole change.
    const slow = overtaken('TransactWrite', async () => retitle(orgId, 'Type by the other client'));
    const other = await MembershipConfigEditor.open(table, orgId);
    await other.save(category(orgId, 'season', { title: 'Category by the slow client' }));
    const editor = await MembershipConfigEditor.open(slow, orgId);
    await editor.refreshMembers();
    slow.client.destroy();
    expect(await memberByNumber(table, orgId, '1')).toMatchObject({
      typeTitle: 'Type by the other client',
      categoryTitle: 'Category by the slow client',
    });
    const marked = await MembershipConfigEditor.open(table, orgId);
    table.meter.reset();
    await marked.refreshMembers();
    expect(table.meter.calls).toBe(1);
  });
});

describe('a barcode that moves between imported members', () => {
  it('moves in any order of the rows', async () => {
    const cards = ['a', 'b', 'c', 'd'].map((number) => ({ member_number: number, barcode: `CARD-${number}` }));
    // Each member takes the card of the one before; the first one gets a new card.
    const moved = cards.map((row, index) => ({
      ...row,
      barcode: index === 0 ? 'CARD-new' : (cards[index - 1]?.barcode ?? ''),
    }));
    for (const rows of [moved, moved.toReversed()]) {
      const orgId = await newOrganisation(table);
      await importInto(table, { orgId, dataset: 'members', file: files.write('p1.ndjson', lines(...cards)) });
      const file = files.write('p2.ndjson', lines(...rows));
      expect(await importInto(table, { orgId, dataset: 'members', file })).toMatchObject({ updated: 4, rejected: 0 });
      expect(await memberByNumber(table, orgId, 'd')).toMatchObject({ barcode: 'CARD-c' });
    }
  });

  it('is rejected once if no row gives it up; the next row of the same member is saved', async () => {
    const orgId = await newOrganisation(table);
    const cards = ['a', 'b'].map((number) => ({ member_number: number, barcode: `CARD-${number}` }));
    await importInto(table, { orgId, dataset: 'members', file: files.write('p3.ndjson', lines(...cards)) });
    const file = files.write(
      'p4.ndjson',
      lines(
        { member_number: 'a', barcode: 'CARD-b' },
        { member_number: 'b', barcode: 'CARD-a' },
        { member_number: 'a', first_name: 'Ann' },
      ),
    );
    const counts = await importInto(table, { orgId, dataset: 'members', file });
    expect(counts).toMatchObject({ read: 3, updated: 1, rejected: 2 });
    expect(files.read('p4.ndjson.rejected.ndjson').trim().split('\n')).toHaveLength(2);
    expect(await memberByNumber(table, orgId, 'a')).toMatchObject({ firstName: 'Ann', barcode: 'CARD-a' });
  });
});
