import * as v from 'valibot';
import { handle as record } from '../../functions/api/events/record-scan.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { NewOrder, SoldTicket } from '../../shared/domain/orders/order.ts';
import { RecordedScan, recordScan } from '../../shared/operations/events/record-scan.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { kickOffUnix } from '../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { callOperation } from './call-operation.ts';
import { givenEventWithPrices } from './event-with-prices.ts';

const gatesOpenUnix = kickOffUnix - 5_400;

let clubs = 0;

/** A club on match day: two stands, memberships with and without access, and a clock that moves with each scan. */
export async function givenMatchDay(table: Table) {
  clubs += 1;
  const orgId = await givenOrganisation(table, `org_match${clubs}`);
  const key = (await givenKey(table, orgId)).text;
  const sold = await givenEventWithPrices(table, orgId);
  const { eventId } = sold.event;
  await givenConfig(
    table,
    orgId,
    category(orgId, 'season', { title: 'Season' }),
    category(orgId, 'hospitality', { title: 'Hospitality', gameDayAccess: 1 }),
    membershipType(orgId, 'full', { gameDayAccess: 1 }),
    membershipType(orgId, 'digital'),
  );
  /** Each request is sent a second after the last. */
  let nowUnix = gatesOpenUnix;

  async function sell(
    changes: Partial<SoldTicket> = {},
    placed: Partial<NewOrder> = {},
  ): Promise<NewOrder & { barcode: string }> {
    const ticket = sold.ticket(sold.prices[0], { ticketName: 'Ada Lovelace', ...changes });
    const made = anOrder({
      eventId,
      emailAddress: 'ada@example.com',
      placedUnix: gatesOpenUnix - 9_000,
      tickets: [ticket],
      ...placed,
    });
    const { outcome } = await writeOrder(table, orgId, made);
    if (outcome !== 'recorded') throw new Error(outcome);
    return { ...made, barcode: ticket.barcode };
  }

  async function enrol(changes: Partial<MemberRecord> = {}): Promise<MemberRecord & { barcode: string }> {
    const barcode = `M-${clubs}-${Math.random().toString(36).slice(2)}`;
    const type = membershipType(orgId, 'full');
    const { categoryId, title: categoryTitle } = category(orgId, 'season', { title: 'Season' });
    const held = { typeId: type.typeId, typeTitle: type.title, categoryId, categoryTitle };
    const names = { firstName: 'Grace', lastName: 'Hopper', emailAddress: 'grace@example.com' };
    const member = { ...aMember({ memberNumber: barcode, ...names, ...held, ...changes }), barcode };
    await givenMembers(table, orgId, [member]);
    return member;
  }

  async function send(
    body: Readonly<Record<string, unknown>>,
    options: Partial<Parameters<typeof callOperation>[2]> = {},
  ) {
    nowUnix += 1;
    return callOperation(recordScan, record, {
      table,
      nowMs: nowUnix * 1000,
      bearer: key,
      params: { event_id: String(eventId) },
      body,
      ...options,
    });
  }

  /** The response to a scan at gate 4. */
  async function scan(barcode: string, body: Readonly<Record<string, unknown>> = {}) {
    const response = await send({ barcode, gate_id: 4, ...body });
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    return v.parse(RecordedScan, response.body);
  }

  return { orgId, key, eventId, sold, sell, enrol, send, scan, now: () => nowUnix };
}

export type MatchDay = Awaited<ReturnType<typeof givenMatchDay>>;
