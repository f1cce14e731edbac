import { afterAll, describe, expect, it, vi } from 'vitest';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { changeMember, rowPut } from '../../../shared/data/members/change.ts';
import { readConsent } from '../../../shared/data/plans/plans.ts';
import { readRenewal } from '../../../shared/data/renewals/renewals.ts';
import { createSeatBlock, everySeatBlock } from '../../../shared/data/seats/blocks.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { aHall } from '../../../tools/fixtures/seat-maps.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { announcedOf } from '../../support/feed.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { joinAsFan } from '../../support/joined-fan.ts';
import { givenMatchDay } from '../../support/match-day.ts';
import { buyInInstalments, givenInstalmentType, planOf } from '../../support/plans.ts';
import { givenRenewing, memberOf } from '../../support/renewals.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenSeatedEvent } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { givenSoldOut, join, statuses } from '../../support/waiting-list.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
let nowUnix = noonUnix;
const { table, admin } = await givenAdmin(() => nowUnix * 1000);
const files = new Files();
afterAll(() => files.remove());

const erase = (orgId: string, orgCustomerId: string) =>
  documentOf(admin, 'customer', 'erase', orgId, orgCustomerId, '--yes');
const exported = (orgId: string, orgCustomerId: string) =>
  documentOf(admin, 'customer', 'export', orgId, orgCustomerId);

/** The rows of the table with a text, in capitals or not. */
async function rowsWith(pattern: RegExp): Promise<readonly string[]> {
  const rows = [...(await everyRow(table)).values()].map((row) => JSON.stringify(row));
  return rows.filter((text) => pattern.test(text));
}

describe('customer erase and export follow the person', () => {
  it('to waiting lists that the fan joined with another address, and that somebody joined with a former one', async () => {
    const { deps, price } = await givenSoldOut(table, 1);
    const { orgId } = deps;
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'old@trail.example' });
    await joinAsFan(deps, price, { email: 'typed@trail.example', userId });
    await join(deps, price, 'old@trail.example');
    await join(deps, price, 'bob');
    await saveCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'new@trail.example' }, noonUnix);
    await join(deps, price, 'new+cup@trail.example');
    const { waiting_lists: lists, customer } = await exported(orgId, 'C-1');
    expect(lists.map(({ email }: { email: string }) => email).sort()).toEqual([
      'new+cup@trail.example',
      'old@trail.example',
      'typed@trail.example',
    ]);
    expect(customer).toMatchObject({ former_email_addresses: ['old@trail.example'] });
    expect(await erase(orgId, 'C-1')).toMatchObject({ erased: { waiting_lists: 3, events: 3 } });
    expect(await rowsWith(/trail\.example/i)).toEqual([]);
    expect(await statuses(deps, price)).toEqual(['bob waiting']);
    expect(await erase(orgId, 'C-1')).toMatchObject({ changed: false });
  });

  it('and never to a relative who shares the address, or has it now', async () => {
    const { deps, price } = await givenSoldOut(table, 1);
    const { orgId } = deps;
    const shared = { emailAddress: 'family@kin.example', lastName: 'Kin' };
    await givenCustomer(table, orgId, { ...shared, orgCustomerId: 'ann', firstName: 'Ann', addedUnix: noonUnix - 9 });
    const ben = await givenCustomer(table, orgId, { ...shared, orgCustomerId: 'ben', firstName: 'Ben' });
    await joinAsFan(deps, price, { email: 'family@kin.example', userId: ben.userId });
    const none = { waiting_lists: [], events: [] };
    expect(await exported(orgId, 'ann')).toMatchObject(none);
    await saveCustomer(table, orgId, { orgCustomerId: 'ann', emailAddress: 'ann@kin.example' }, noonUnix);
    expect(await exported(orgId, 'ann')).toMatchObject(none);
    expect(await erase(orgId, 'ann')).toMatchObject({ erased: { waiting_lists: 0, events: 0 } });
    expect(await statuses(deps, price)).toEqual(['family waiting']);
    expect((await announcedOf(table, orgId)).map(({ type }) => type)).toContain('waiting_list.joined');
    expect(await rowsWith(/^(?=.*FEED).*family@kin\.example/)).toHaveLength(1);
    expect(await exported(orgId, 'ben')).toMatchObject({ waiting_lists: [{ email: 'family@kin.example' }] });
  });

  it('to the scans of a replaced card of a member without an address, and their events', async () => {
    const day = await givenMatchDay(table);
    const { orgId } = day;
    const names = { firstName: 'Xenia', lastName: 'Trailer', emailAddress: null };
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', ...names });
    const member = await day.enrol({ userId, ...names });
    await day.scan(member.barcode);
    nowUnix = day.now() + 60;
    const row = { member_number: member.memberNumber, barcode: 'NEWCARD' };
    await importInto(table, {
      orgId,
      dataset: 'members',
      nowUnix: day.now(),
      file: files.write('c.ndjson', JSON.stringify(row)),
    });
    expect((await exported(orgId, 'C-1')).scans).toMatchObject([
      { barcode: member.barcode, ticket_name: 'Xenia Trailer' },
    ]);
    expect(await erase(orgId, 'C-1')).toMatchObject({ erased: { scans: 1, events: 1 } });
    expect(await rowsWith(/xenia/i)).toEqual([]);
  });

  it('to the scans of a card that somebody else has now, and not to those of the one before', async () => {
    const day = await givenMatchDay(table);
    const { orgId } = day;
    const [ann, ben] = [
      await givenCustomer(table, orgId, { orgCustomerId: 'ann', firstName: 'Annabella' }),
      await givenCustomer(table, orgId, { orgCustomerId: 'ben', firstName: 'Benedict' }),
    ];
    const names = { lastName: null, emailAddress: null };
    const member = await day.enrol({ userId: ann.userId, firstName: 'Annabella', ...names });
    await day.scan(member.barcode);
    const change = () => ({ userId: ben.userId, firstName: 'Benedict', ...names });
    await changeMember(table, { orgId, memberId: member.memberId, nowUnix: day.now(), change });
    await day.scan(member.barcode, { direction: 'out' });
    nowUnix = day.now() + 60;
    expect((await exported(orgId, 'ben')).scans).toMatchObject([{ ticket_name: 'Benedict' }]);
    expect(await erase(orgId, 'ben')).toMatchObject({ erased: { scans: 1 } });
    expect(await rowsWith(/^.*FEED.*annabella/i)).toHaveLength(1);
    expect(await rowsWith(/benedict/i)).toEqual([]);
    expect(await erase(orgId, 'ann')).toMatchObject({ erased: { scans: 1, events: 1 } });
    expect(await rowsWith(/annabella/i)).toEqual([]);
  });

  it('to the card and the consent of a membership that somebody else has now, and not to those of the one before', async () => {
    const deps = checkoutDepsOf(table, 'org_movedmember');
    const { orgId } = deps;
    const { memberId, order } = await givenRenewing(deps);
    const ben = await givenCustomer(table, orgId, { orgCustomerId: 'ben', firstName: 'Ben' });
    // As an earlier release moved it: the record stayed as it was.
    const before = await memberOf(deps, memberId);
    const after = { ...before, userId: ben.userId, version: before.version + 1 };
    await transact(table, [rowPut(table, orgId, { before, after })]);
    const recordOf = () => readRenewal(table, orgId, memberId);
    expect(await exported(orgId, 'ben')).toMatchObject({ renewals: [] });
    await erase(orgId, 'ben');
    expect(await recordOf()).toMatchObject({ saved: { paymentMethod: 'pm_card_visa' } });
    const ada = await readCustomer(table, orgId, order.userId ?? 0);
    const { renewals } = await exported(orgId, ada?.orgCustomerId ?? '');
    expect(renewals).toMatchObject([{ payment_method: 'pm_card_visa', consent: { given: noonUnix } }]);
    await erase(orgId, ada?.orgCustomerId ?? '');
    expect(await recordOf()).toMatchObject({ saved: null, setup: null, consent: null, isOn: false });
  });

  it('and never to the plan that a former owner of a membership pays', async () => {
    const deps = checkoutDepsOf(table, 'org_movedplan');
    const { orgId } = deps;
    const { planId, memberId, order } = await buyInInstalments(deps, await givenInstalmentType(deps));
    const ben = await givenCustomer(table, orgId, { orgCustomerId: 'ben', firstName: 'Ben' });
    await changeMember(table, { orgId, memberId, nowUnix: noonUnix, change: () => ({ userId: ben.userId }) });
    expect(await exported(orgId, 'ben')).toMatchObject({ payment_plans: [] });
    expect(await erase(orgId, 'ben')).toMatchObject({ erased: { payment_plans: 0 } });
    expect(await planOf(deps, planId)).toMatchObject({ paymentMethod: 'pm_card_visa' });
    expect(await readConsent(table, orgId, order.orderId)).toMatchObject({ text: 'Charge my card every month.' });
  });
});

describe('customer export and erase know what staff and providers keep', () => {
  it("the organisation's own id of a person goes with the member's names", async () => {
    const day = await givenMatchDay(table);
    const { userId } = await givenCustomer(table, day.orgId, { orgCustomerId: 'C-1', firstName: 'Ann' });
    const { memberNumber } = await day.enrol({ userId, personId: 'NATIONAL-ID-850101' });
    await documentOf(admin, 'member', 'fulfil', day.orgId, memberNumber ?? '', '--number');
    await erase(day.orgId, 'C-1');
    expect(await memberByNumber(table, day.orgId, memberNumber ?? '')).toMatchObject({ personId: null });
    expect(await rowsWith(/850101/)).toEqual([]);
  });

  it("the provider's customer, and the reason of a block of seats that names the person", async () => {
    const deps = checkoutDepsOf(table, 'org_keptreasons');
    const { orgId } = deps;
    const { order } = await givenRenewing(deps);
    const customer = await readCustomer(table, orgId, order.userId ?? 0);
    const { event } = await givenSeatedEvent(table, orgId);
    let blocks = 0;
    for (const reason of ['Kept for Ada LOVELACE, who is ill', 'Camera position']) {
      blocks += 1;
      const seats = [`Stalls/A/${blocks}`];
      const block = { eventId: event.eventId, seats, reason, releaseUnix: null, createdUnix: noonUnix };
      const id = blocks;
      const made = await createSeatBlock(table, orgId, { ...block, map: aHall, newId: () => id }, () => []);
      expect(made).toMatchObject({ outcome: 'created' });
    }
    const document = await exported(orgId, customer?.orgCustomerId ?? '');
    expect(document.provider_customers).toMatchObject([{ provider: 'sandbox', customer: expect.stringMatching(/./) }]);
    expect(document.renewals).toMatchObject([{ customer: document.provider_customers[0].customer }]);
    expect(document.seat_blocks).toMatchObject([{ reason: 'Kept for Ada LOVELACE, who is ill' }]);
    expect(await erase(orgId, customer?.orgCustomerId ?? '')).toMatchObject({
      erased: { seat_blocks: 1, provider_customers: 1 },
    });
    const reasons = (await everySeatBlock(table, orgId, event.eventId)).map(({ reason }) => reason);
    expect(reasons).toEqual([null, 'Camera position']);
  });
});
