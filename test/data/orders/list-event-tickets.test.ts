import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { itemBytes } from '../../../local/cloud/dynamodb/model/item-size.ts';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { type OfflinePage, readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { listEventTickets as listTickets, type TicketPosition } from '../../../shared/data/orders/list-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { eventTicket } from '../../../shared/mappers/event-ticket.ts';
import type { EventTicket } from '../../../shared/operations/schemas/event-ticket.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { anOrder, aScan, aTicket, someEvent, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

async function walk(orgId: string, eventId: number, query: { updatedSince?: number; limit?: number } = {}) {
  const { updatedSince, limit = 500 } = query;
  const rows: EventTicket[] = [];
  let after: string | undefined;
  do {
    const page: OfflinePage = await readOfflinePage(table, {
      orgId,
      event: { eventId, startUnix: someSpan },
      updatedSince,
      after,
      limit,
    });
    if (page.next !== undefined) expect(page.rows).toHaveLength(limit);
    rows.push(...page.rows.map((row) => eventTicket(row, { reader: 'key', cancelledUnix: null })));
    after = page.next;
  } while (after !== undefined);
  return rows;
}

/** Without `addresses=true`. */
const noAddresses = { order_id: null, buyer_email: null, holder_user_id: null, holder_email: null };
const admits = { ticket_status_id: 1, transferred: false, to_notify: true, ...noAddresses };

describe('list-event-tickets', () => {
  it('list-event-tickets returns every ticket, then the members with access on game days, with the hash that a gate compares', async () => {
    const orgId = 'org_fields';
    const { eventId } = await givenEvent(table, orgId);
    const placed = anOrder({
      eventId,
      placedUnix: someSpan,
      tickets: [
        aTicket({ barcode: 'ab-1', ticketName: 'Ada', sectionLabel: 'Stalls', seatRow: 'C', seatTitle: '7' }),
        aTicket({ barcode: 'AB-2', status: 2 }),
      ],
    });
    await writeOrder(table, orgId, placed);
    await givenConfig(
      table,
      orgId,
      category(orgId, 'season', { categoryId: 5 }),
      membershipType(orgId, 'gold', { typeId: 11, categoryId: 5, gameDayAccess: 1 }),
      membershipType(orgId, 'digital', { typeId: 12, categoryId: 5 }),
    );
    const member = { categoryId: 5, firstName: 'Grace', lastName: 'Hopper', expiresUnix: someSpan + 9 };
    const [admitted, other, unpaid] = [
      aMember({
        ...member,
        memberNumber: '1',
        typeId: 11,
        barcode: 'card1',
        seatSection: 'S1',
        seatRow: 'A',
        seatTitle: '9',
      }),
      aMember({ ...member, memberNumber: '2', typeId: 12, barcode: 'card2' }),
      aMember({ ...member, memberNumber: '3', typeId: 11, barcode: 'card3', statusId: 0 }),
    ];
    await givenMembers(table, orgId, [admitted, other, unpaid]);
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    const data = await walk(orgId, eventId);
    expect(data).toEqual([
      {
        ticket_id: placed.orderId + 1,
        membership_member_id: null,
        barcode: 'ab-1',
        barcode_sha256: sha('AB-1'),
        ...admits,
        price_category_id: 7,
        ticket_name: 'Ada',
        section_label: 'Stalls',
        seat_row: 'C',
        seat_title: '7',
        expires: null,
        updated_at: someSpan,
      },
      expect.objectContaining({ ticket_id: placed.orderId + 2, ticket_status_id: 2 }),
      {
        ticket_id: null,
        membership_member_id: admitted.memberId,
        barcode: 'card1',
        barcode_sha256: sha('CARD1'),
        ...admits,
        price_category_id: null,
        ticket_name: 'Grace Hopper',
        section_label: 'S1',
        seat_row: 'A',
        seat_title: '9',
        expires: someSpan + 9,
        updated_at: expect.any(Number),
      },
    ]);
    for (const limit of [1, 2, 3]) expect(await walk(orgId, eventId, { limit })).toEqual(data);
    const changed = await walk(orgId, eventId, { limit: 2, updatedSince: 1 });
    expect(changed).toHaveLength(5);
    expect(changed.slice(2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ membership_member_id: other.memberId, ticket_status_id: 2 }),
        expect.objectContaining({ membership_member_id: unpaid.memberId, ticket_status_id: 0 }),
      ]),
    );
  });

  it('list-event-tickets gives a gate device no barcode and no name, of tickets and members alike', async () => {
    const orgId = 'org_stolen_device';
    const { eventId } = await givenEvent(table, orgId);
    await writeOrder(table, orgId, anOrder({ eventId, tickets: [aTicket({ ticketName: 'Ada' })] }));
    await givenConfig(table, orgId, membershipType(orgId, 'gold', { typeId: 11, gameDayAccess: 1 }));
    await givenMembers(table, orgId, [
      aMember({ typeId: 11, firstName: 'Grace', lastName: 'Hopper', barcode: 'card1' }),
    ]);
    const { rows } = await readOfflinePage(table, {
      orgId,
      event: { eventId, startUnix: someSpan },
      updatedSince: undefined,
      after: undefined,
      limit: 9,
    });
    const shown = rows.map((row) => eventTicket(row, { reader: 'gate', cancelledUnix: null }));
    const nothing = { barcode: null, ticket_name: null, barcode_sha256: expect.any(String) };
    expect(shown).toEqual([expect.objectContaining(nothing), expect.objectContaining(nothing)]);
  });

  interface Step {
    readonly what: 'sell' | 'refund' | 'cancel' | 'erase' | 'scan';
    readonly which: number;
  }

  /** Performs a step on one of the orders, or sells a first order. */
  async function perform(
    orgId: string,
    orders: number[],
    { what, which }: Step,
    at: { eventId: number; nowUnix: number },
  ) {
    const { eventId, nowUnix } = at;
    const orderId = orders[which % Math.max(1, orders.length)];
    if (what === 'sell' || orderId === undefined) {
      const tickets = [aTicket({ ticketName: 'Ada' }), aTicket()];
      const placed = anOrder({
        eventId,
        placedUnix: nowUnix - 5_000,
        recordedUnix: nowUnix,
        firstName: 'Ada',
        tickets,
      });
      await writeOrder(table, orgId, placed);
      orders.push(placed.orderId);
    } else if (what === 'erase') {
      await eraseBuyer(table, { orgId, orderId, nowUnix });
    } else if (what === 'scan') {
      await recordScan(table, { orgId, scan: aScan('unknown', { eventId }), nonce: null });
    } else {
      const to = what === 'refund' ? 'refunded' : 'cancelled';
      const wanted = { tickets: [orderId + 1 + (which % 2)], to, atUnix: nowUnix } as const;
      await changeTickets(table, { orgId, orderId }, wanted);
    }
  }

  it('list-event-tickets since a time misses no sale, refund, cancellation or erasure, and contains no scan', async () => {
    const orgId = 'org_delta';
    const what = fc.constantFrom<Step['what'][]>('sell', 'refund', 'cancel', 'erase', 'scan');
    const steps = fc.array(fc.record({ what, which: fc.nat(5) }), { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (taken, limit) => {
        const { eventId } = await givenEvent(table, orgId);
        const orders: number[] = [];
        const known = new Map<number | null, unknown>();
        for (const [index, step] of taken.entries()) {
          const nowUnix = someSpan + index * 10;
          await perform(orgId, orders, step, { eventId, nowUnix });
          const changed = await walk(orgId, eventId, { updatedSince: nowUnix - 1, limit });
          for (const row of changed) known.set(row.ticket_id, row);
        }
        const all = await walk(orgId, eventId, { limit: 100 });
        expect(new Map(all.map((row) => [row.ticket_id, row]))).toEqual(known);
      }),
      { numRuns: amount(2, 6) },
    );
  });

  it('a walk neither skips nor repeats a ticket while tickets are refunded, and a walk of changes misses none', async () => {
    const orgId = 'org_moving';
    const placed = Array.from({ length: 6 }, (_, index) =>
      anOrder({ placedUnix: someSpan + index, tickets: [aTicket(), aTicket(), aTicket()] }),
    );
    for (const order of placed) await writeOrder(table, orgId, order);
    const walked = async (updatedSince: number | undefined) => {
      const seen: number[] = [];
      let after: TicketPosition | undefined;
      for (let page = 0; page < 20; page += 1) {
        const rows = await listTickets(table, { orgId, eventId: someEvent, updatedSince, after, limit: 4 });
        seen.push(...rows.map(({ ticket }) => ticket.ticketId));
        after = rows.at(-1)?.position;
        if (rows.length < 4) break;
        const { orderId } = placed[page] ?? { orderId: 64 };
        await changeTickets(
          table,
          { orgId, orderId },
          { tickets: [orderId + 1 + (page % 3)], to: 'refunded', atUnix: someSpan + 100 + page },
        );
      }
      return seen;
    };
    const all = placed.flatMap(({ orderId }) => [orderId + 1, orderId + 2, orderId + 3]).sort();
    expect((await walked(undefined)).sort()).toEqual(all);
    expect(new Set(await walked(0))).toEqual(new Set(all));
  });
});

describe('cost of list-event-tickets', () => {
  it('a page of list-event-tickets costs at most 1.25 times its rows, and 80,000 tickets are 33 calls', async () => {
    for (const perOrder of [1, 4]) {
      const orgId = `org_cost${perOrder}`;
      const ledger = new OrderLedger(orgId);
      for (let index = 0; index < 1_600 / perOrder; index += 1) {
        const tickets = Array.from({ length: perOrder }, () => aTicket({ ticketName: 'Ada Lovelace' }));
        ledger.place(anOrder({ placedUnix: someSpan + index, tickets }));
      }
      const items = [...ledger.items()].filter(({ pk }) => pk.startsWith('ORT#'));
      await putItems(table, items);
      const bytesPerTicket = items.reduce((sum, item) => sum + itemBytes(item), 0) / 1_600;
      table.meter.reset();
      const rows = await listTickets(table, {
        orgId,
        eventId: someEvent,
        updatedSince: undefined,
        after: undefined,
        limit: 1_201,
      });
      expect(rows).toHaveLength(1_201);
      expect(table.meter.readUnits).toBeLessThanOrEqual(1.25 * ((1_201 * bytesPerTicket) / 8_192) + 1);
    }
    expect(Math.ceil(80_000 / 2_500)).toBeLessThanOrEqual(33);
  });
});
