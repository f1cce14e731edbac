import { beforeAll, describe, expect, it } from 'vitest';
import { readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { memberSerial, readSerial } from '../../../shared/documents/apple-serial.ts';
import { readPassFacts } from '../../../shared/documents/apple-subject.ts';
import { eventTicket } from '../../../shared/mappers/event-ticket.ts';
import type { EventTicket } from '../../../shared/operations/schemas/event-ticket.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();
const files = new Files();
let table: Table;
let day: MatchDay;
beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
});

/** Imports rows of members, as an organisation replaces cards. */
async function importMembers(...rows: readonly object[]): Promise<void> {
  const file = files.write(`${rows.length}-${day.now()}.ndjson`, rows.map((row) => JSON.stringify(row)).join('\n'));
  const { rejected } = await importInto(table, { orgId: day.orgId, dataset: 'members', nowUnix: day.now(), file });
  expect(rejected).toBe(0);
}

/** What a gate without a connection reads, in pages of a size. */
async function offlineList(updatedSince: number | undefined, limit = 100): Promise<readonly EventTicket[]> {
  const found: EventTicket[] = [];
  let after: string | undefined;
  do {
    const event = { eventId: day.eventId, startUnix: kickOffUnix };
    const page = await readOfflinePage(table, { orgId: day.orgId, event, updatedSince, after, limit });
    found.push(...page.rows.map((row) => eventTicket(row, { reader: 'key', cancelledUnix: null })));
    after = page.next;
  } while (after !== undefined);
  return found;
}

const cardsIn = (list: readonly EventTicket[], { memberId }: MemberRecord) =>
  list
    .filter((row) => row.membership_member_id === memberId)
    .map(({ barcode, ticket_status_id, transferred }) => [barcode, ticket_status_id, transferred]);

describe('a replaced member card', () => {
  it('is a row of its own in the offline list that admits nobody, whatever the size of a page', async () => {
    const member = await day.enrol();
    const beforeUnix = day.now() - 1;
    await importMembers({ member_number: member.memberNumber, barcode: 'SECOND' });
    await importMembers({ member_number: member.memberNumber, barcode: 'THIRD' });
    const expected = [
      ['THIRD', 1, false],
      [member.barcode, 2, true],
      ['SECOND', 2, true],
    ];
    for (const updatedSince of [undefined, beforeUnix])
      for (const limit of [1, 2, 100])
        expect(cardsIn(await offlineList(updatedSince, limit), member)).toEqual(expected);
    expect((await day.scan(member.barcode)).result).toBe('invalid');
    expect((await day.scan('THIRD')).result).toBe('ok');
  });

  it('is the card of the member who has it now', async () => {
    const [ann, ben] = [await day.enrol(), await day.enrol()];
    await importMembers({ member_number: ann.memberNumber, barcode: 'ANNS-NEW' });
    await importMembers({ member_number: ben.memberNumber, barcode: ann.barcode });
    const list = await offlineList(undefined);
    expect(list.filter(({ barcode }) => barcode === ann.barcode).map((row) => row.ticket_status_id)).toEqual([1]);
    expect(cardsIn(list, ann)).toEqual([['ANNS-NEW', 1, false]]);
  });
});

describe("the pass of a member's card", () => {
  /** What a phone gets that has the pass of the member as it is now. */
  async function phoneWith({ memberId, cardVersion }: MemberRecord) {
    const serial = memberSerial({ orgId: day.orgId, memberId, cardVersion: cardVersion ?? 0 });
    return async () => {
      const subject = readSerial(serial);
      return subject && (await readPassFacts(table, subject, day.now()))?.facts;
    };
  }

  it('is void and names nobody after a new card, and after a new person', async () => {
    for (const org_customer_id of ['ann', 'ben'])
      await givenCustomer(table, day.orgId, {
        orgCustomerId: org_customer_id,
        emailAddress: `${org_customer_id}@example.com`,
      });
    const member = await day.enrol({ firstName: 'Ann' });
    const number = { member_number: member.memberNumber };
    const passOfAnn = await phoneWith(member);
    expect(await passOfAnn()).toMatchObject({ name: expect.stringContaining('Ann'), barcode: member.barcode });

    await importMembers({ ...number, barcode: 'NEW-CARD' });
    expect(await passOfAnn()).toMatchObject({ name: 'Member', barcode: null, details: [] });

    await importMembers({ ...number, org_customer_id: 'ann' });
    const second = await phoneWith({ ...member, cardVersion: 1 });
    expect(await second()).toMatchObject({ barcode: 'NEW-CARD' });
    await importMembers({ ...number, org_customer_id: 'ben', first_name: 'Ben' });
    expect(await second()).toMatchObject({ name: 'Member', barcode: null });
    expect(await (await phoneWith({ ...member, cardVersion: 2 }))()).toMatchObject({ barcode: 'NEW-CARD' });
  });
});

describe('members without access on game days', () => {
  it('are reported to gates that knew them, also when no membership has such access any more', async () => {
    const member = await day.enrol();
    const beforeUnix = day.now() - 1;
    await givenConfig(
      table,
      day.orgId,
      membershipType(day.orgId, 'full', { gameDayAccess: 0 }),
      category(day.orgId, 'hospitality', { title: 'Hospitality', gameDayAccess: 0 }),
    );
    await importMembers({ member_number: member.memberNumber, membership_member_status_id: 3 });
    expect(cardsIn(await offlineList(beforeUnix), member)).toEqual([[member.barcode, 2, false]]);
    expect(cardsIn(await offlineList(undefined), member)).toEqual([]);
  });
});
