import { demoHash } from '../../local/demo/hash-key.ts';
import { saveAttributes } from '../../shared/data/customers/attributes.ts';
import { saveCustomer } from '../../shared/data/customers/save.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { BarcodeLookup } from '../../shared/data/scans/barcode-lookup.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { addressOrdersPartition } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { recordConsents } from '../../shared/sales/consents/record-consents.ts';
import { givenEvents } from '../../tools/fixtures/events.ts';
import { savedMember } from '../../tools/fixtures/members.ts';
import { anOrder, aScan, aTicket, itemsLike } from '../../tools/fixtures/orders.ts';
import { memberDraft } from './membership-members.ts';

/** Words that occur nowhere else: if none of them is found, nothing of the person is left. */
export const traces = [
  'Xanthippe',
  'Quixley',
  'quixley@trace.example',
  '0499 111 222',
  'TR4 1CE',
  'Trace Street',
  '1988-02-29',
  'trace|subject',
  'points_of_trace',
  'purpose_of_trace',
  'text-of-trace',
];

/** What stands for an address in the keys of its look-ups. A key that is left would lead to the person as the address itself. */
export const lookUpTexts = (orgId: string, emailAddress: string): readonly string[] => [
  demoHash.address(orgId, emailAddress),
  addressOrdersPartition(orgId, emailAddress, demoHash),
];

export const longBefore = (nowUnix: number): number => nowUnix - 1_000_000;

/** A customer with memberships, an order and scans, with all personal data; and another member. */
export async function givenPersonWithTraces(table: Table, orgId: string, nowUnix: number): Promise<string> {
  const before = longBefore(nowUnix);
  const saved = await saveCustomer(
    table,
    orgId,
    {
      orgCustomerId: 'C-1',
      firstName: 'Xanthippe',
      lastName: 'Quixley',
      emailAddress: 'quixley@trace.example',
      mobileNumber: '0499 111 222',
      postcode: 'TR4 1CE',
      marketingEmails: true,
      addedUnix: before,
    },
    before,
  );
  if (!('customer' in saved)) throw new Error(saved.outcome);
  await saveAttributes(table, orgId, { userId: saved.customer.userId, attributes: { points_of_trace: 7 } });
  const clock = { nowMs: () => before * 1000 };
  await recordConsents(
    { table, orgId, clock, requestId: 'req-1' },
    {
      userId: saved.customer.userId,
      said: [{ purpose: 'purpose_of_trace', channel: 'phone', given: true, textVersion: 'text-of-trace' }],
      source: 'staff',
    },
  );
  const person = {
    userId: saved.customer.userId,
    firstName: 'Xanthippe',
    lastName: 'Quixley',
    emailAddress: 'quixley@trace.example',
    dateOfBirth: '1988-02-29',
    address: 'Trace Street 1',
    mobileNumber: '0499 111 222',
    postcode: 'TR4 1CE',
    trackingCode: 'Trace Street parcel',
    statusId: 1,
    orderId: 'MO-1',
    fulfilled: 'yes',
    fulfilledUnix: before,
    expiresUnix: nowUnix + 9,
  } as const;
  const identity = { issuer: 'https://login.example.com', subject: 'trace|subject' };
  await saveLink(table, orgId, { ...identity, userId: person.userId, linkedUnix: before });
  for (const number of ['1', '2', '3']) {
    await savedMember(table, orgId, memberDraft(number, { ...person, barcode: `CARD-${number}` }), before);
  }
  await savedMember(
    table,
    orgId,
    memberDraft('9', { lastName: 'Somebody else', emailAddress: 'else@example.com', barcode: 'CARD-9' }),
    before,
  );
  await givenScans(table, orgId, person.userId);
  return orgId;
}

/** Scans at one event: the person's card, a ticket of the person for another event, and the card of another member. */
async function givenScans(table: Table, orgId: string, userId: number): Promise<void> {
  const [{ eventId } = { eventId: 0 }, other] = await givenEvents(table, orgId, [{}, {}]);
  const placed = anOrder({
    userId,
    eventId: other?.eventId ?? 0,
    emailAddress: 'quixley@trace.example',
    tickets: [aTicket({ barcode: 'TICKET-1', ticketName: 'Xanthippe' })],
  });
  await writeOrder(table, orgId, placed);
  for (const barcode of ['CARD-1', 'TICKET-1', 'CARD-9']) await scanAtGate(table, orgId, eventId, barcode);
}

export function scanAtGate(table: Table, orgId: string, eventId: number, barcode: string): Promise<unknown> {
  const find = new BarcodeLookup(table, { gate: undefined, categories: new Map() }).find;
  return recordScan(table, { orgId, scan: aScan(barcode, { eventId }), nonce: null }, { find });
}

/** The barcode, name and email address of each scan. */
export async function scansOf(table: Table, orgId: string): Promise<unknown[]> {
  const items = await itemsLike(table, `SCN#${orgId}#`);
  return items.map(({ code, name = null, email = null }) => [code, name, email]).sort();
}
