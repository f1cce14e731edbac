import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { personOf } from '../../../admin/person/section.ts';
import { personSections } from '../../../admin/person/sections.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { givenAdmin } from '../../support/admin.ts';
import { announcedOf } from '../../support/feed.ts';
import { crashingAt } from '../../support/import-files.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { givenPersonWithTraces, longBefore, lookUpTexts, scansOf, traces } from '../../support/person-with-traces.ts';
import { longTest } from '../../support/thorough.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const nowUnix = nowMs / 1000;
const before = longBefore(nowUnix);
const { table, admin } = await givenAdmin(() => nowMs);
let organisations = 0;

function givenPerson(): Promise<string> {
  organisations += 1;
  return givenPersonWithTraces(table, `org_erase${organisations}`, nowUnix);
}

/** All items of the organisation, as text. */
async function allTextOf(orgId: string): Promise<string> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return JSON.stringify(Items.filter(({ pk }) => String(pk).split('#')[1] === orgId));
}

const erase = (orgId: string) => admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');

/** Sends member.updated, which contains the whole member. */
const fulfilled = (orgId: string, number: string) =>
  admin('member', 'fulfil', orgId, number, '--number', '--tracking-code', `T${number}`, '--local');

describe('customer export', () => {
  it('prints all data of the person and none of others', async () => {
    const orgId = await givenPerson();
    for (const number of ['1', '9']) await fulfilled(orgId, number);
    const { stdout, exitCode } = await admin('customer', 'export', orgId, 'C-1', '--local');
    expect(exitCode).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      org_id: orgId,
      org_customer_id: 'C-1',
      exported_at: nowUnix,
      customer: { first_name: 'Xanthippe', email_address: 'quixley@trace.example' },
    });
    expect(document.members.map(({ member_number }: { member_number: string }) => member_number)).toEqual(
      expect.arrayContaining(['1', '2', '3']),
    );
    expect(document.members).toHaveLength(3);
    expect(document.consents).toMatchObject([{ purpose: 'purpose_of_trace', given: true, source: 'staff' }]);
    expect(document.events).toMatchObject([
      { type: 'customer.consent_changed' },
      { type: 'member.updated', data: { member: { member_number: '1' } } },
    ]);
    expect(document.members[0]).toMatchObject({ date_of_birth: '1988-02-29', fulfilled_at: before });
    expect(document.orders).toMatchObject([{ tickets: [{ barcode: 'TICKET-1' }] }]);
    expect(document.scans).toHaveLength(2);
    expect(document.scans).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ barcode: 'CARD-1', ticket_name: 'Xanthippe Quixley', ticket_id: null }),
        expect.objectContaining({ barcode: 'TICKET-1', ticket_name: 'Xanthippe', result: 'wrong_event' }),
      ]),
    );
  });

  it('refuses a customer that does not exist', async () => {
    const orgId = await givenPerson();
    const { exitCode, stderr } = await admin('customer', 'export', orgId, 'C-2', '--local');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `${orgId} has no customer C-2.` });
  });
});

describe('customer erase --user-id', () => {
  it('erases the customer with the user_id, not the one whose org_customer_id looks like it', async () => {
    const orgId = await givenPerson();
    const person = await findCustomer(table, orgId, 'C-1');
    const userId = person?.userId ?? 0;
    const other = await givenCustomer(table, orgId, { orgCustomerId: String(userId), firstName: 'Otto' });
    const named = ['customer', 'erase', orgId, String(userId), '--user-id'];
    const { exitCode, stdout } = await admin(...named, '--yes', '--local', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ org_customer_id: 'C-1', user_id: userId, changed: true });
    expect(await readCustomer(table, orgId, userId)).toMatchObject({ firstName: null });
    expect(await readCustomer(table, orgId, other.userId)).toMatchObject({ firstName: 'Otto' });
  });

  it('refuses a user_id that nobody has', async () => {
    const orgId = await givenPerson();
    const { exitCode, stderr } = await admin('customer', 'export', orgId, '77', '--user-id', '--local');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `${orgId} has no customer with the user_id 77.` });
  });
});

describe('customer erase', () => {
  it('leaves no trace of the person in any item, keeps ids, statuses and dates, and changes no other person', async () => {
    const orgId = await givenPerson();
    for (const number of ['1', '9']) await fulfilled(orgId, number);
    const other = await memberByNumber(table, orgId, '9');
    const lookUps = lookUpTexts(orgId, 'quixley@trace.example');
    for (const trace of [...traces, ...lookUps]) expect(await allTextOf(orgId)).toContain(trace);
    expect(JSON.parse((await erase(orgId)).stdout)).toEqual({
      org_id: orgId,
      org_customer_id: 'C-1',
      user_id: expect.any(Number),
      erased: {
        baskets: 0,
        documents: 0,
        members: 3,
        orders: 1,
        scans: 2,
        sso_links: 1,
        events: 2,
        stored_responses: 0,
        customer_attributes: 1,
        consents: 2,
        payment_plans: 0,
        provider_customers: 0,
        seat_blocks: 0,
        renewals: 0,
        transfers: 0,
        withdrawals: 0,
        waiting_lists: 0,
        wallet_passes: 0,
        customer: 1,
      },
      changed: true,
      open_plans: [],
      pending_baskets: [],
      unlinked_members: [],
      request_id: expect.stringMatching(/^cli_/),
    });
    const left = (await allTextOf(orgId)).toLowerCase();
    for (const trace of traces) expect(left).not.toContain(trace.toLowerCase());
    for (const lookUp of lookUps) expect(await allTextOf(orgId)).not.toContain(lookUp);

    const customer = await findCustomer(table, orgId, 'C-1');
    expect(customer).toMatchObject({
      firstName: null,
      emailAddress: null,
      updatedUnix: nowUnix,
      marketingEmails: false,
    });
    const member = await memberByNumber(table, orgId, '1');
    expect(member).toMatchObject({
      userId: customer?.userId,
      statusId: 1,
      orderId: 'MO-1',
      fulfilled: 'yes',
      fulfilledUnix: before,
      expiresUnix: nowUnix + 9,
      createdUnix: 1_750_000_000,
      updatedUnix: nowUnix,
      lastName: null,
    });
    expect(await memberByNumber(table, orgId, '9')).toEqual(other);
    expect(await scansOf(table, orgId)).toEqual([
      ['CARD-1', null, null],
      ['CARD-9', 'Ada Somebody else', 'else@example.com'],
      ['TICKET-1', null, null],
    ]);
    // The events are still listed, without the data of the person.
    const names = (await announcedOf(table, orgId)).map(({ data }) => 'member' in data && data.member.last_name);
    expect(names.filter((name) => name === null)).toHaveLength(4);
    expect(names.filter((name) => name === 'Somebody else')).toHaveLength(1);
  });

  it('releases the email address for a new customer', async () => {
    const orgId = await givenPerson();
    await erase(orgId);
    const { outcome } = await saveCustomer(table, orgId, { emailAddress: 'quixley@trace.example' }, nowUnix);
    expect(outcome).toBe('created');
  });

  it('changes nothing when it is repeated', async () => {
    const orgId = await givenPerson();
    await erase(orgId);
    const after = await allTextOf(orgId);
    expect(JSON.parse((await erase(orgId)).stdout)).toMatchObject({ erased: { members: 0, events: 0, customer: 0 } });
    expect(await allTextOf(orgId)).toBe(after);
  });

  longTest('completes an earlier erase, wherever that was interrupted', async () => {
    let crashes = 0;
    for (let write = 1; ; write += 1) {
      const orgId = await givenPerson();
      const customer = await findCustomer(table, orgId, 'C-1');
      if (customer === undefined) throw new Error('The customer does not exist.');
      const crashing = crashingAt(table, write);
      const run = async (): Promise<void> => {
        const person = await personOf(crashing, orgId, customer, {
          requestId: 'cli_1',
          clock: { nowMs: () => nowMs },
        });
        for (const section of personSections(person)) await section.erase(person);
      };
      const failure = await run().catch((error: unknown) => error);
      crashing.client.destroy();
      if (failure === undefined) break;
      crashes += 1;
      await erase(orgId);
      const left = await allTextOf(orgId);
      for (const trace of traces) expect(left).not.toContain(trace);
    }
    expect(crashes).toBeGreaterThan(5);
  });

  it('names unlinked members with the same email address and does not change them', async () => {
    const orgId = await givenPerson();
    await savedMember(table, orgId, memberDraft('77', { emailAddress: 'Quixley@Trace.example' }), before);
    const { stdout } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local');
    expect(stdout).toMatch(/linked to no customer were not changed: 77\.\nIf they are the same person, link them/);
    expect(await memberByNumber(table, orgId, '77')).toMatchObject({ emailAddress: 'Quixley@Trace.example' });
  });
});
