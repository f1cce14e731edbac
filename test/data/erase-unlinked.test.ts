import { describe, expect, it } from 'vitest';
import { ordersPart } from '../../admin/person/orders.ts';
import { findCustomer } from '../../shared/data/customers/read.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { givenAdmin } from '../support/admin.ts';
import { givenEvents } from '../support/events.ts';
import { anOrder, aTicket, itemsLike } from '../support/orders.ts';
import { givenPersonWithTraces, readAtGate, readingsOf } from '../support/person-with-traces.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const { table, admin } = await givenAdmin(() => nowMs);

async function told(command: 'export' | 'erase', orgId: string) {
  const yes = command === 'erase' ? ['--yes'] : [];
  return JSON.parse((await admin('customer', command, orgId, 'C-1', ...yes, '--local', '--json')).stdout);
}

/** Beside an order of their own: one that was imported without a customer, one of another customer, one of a stranger. */
async function givenPastOrders(name: string) {
  const orgId = await givenPersonWithTraces(table, name, nowMs / 1000);
  const [{ eventId } = { eventId: 0 }] = await givenEvents(table, orgId, [{}]);
  const bought = { eventId, firstName: 'Xanthippe', lastName: 'Quixley', emailAddress: 'Quixley@Trace.example' };
  const ticket = (barcode: string) => ({ tickets: [aTicket({ barcode, ticketName: 'Xanthippe' })] });
  const unlinked = anOrder({ ...bought, ...ticket('PAST-1') });
  const others = anOrder({ ...bought, userId: 999, ...ticket('PAST-2') });
  const strangers = anOrder({ ...bought, emailAddress: 'quixley@trace.example.org', ...ticket('PAST-3') });
  for (const placed of [unlinked, others, strangers]) await writeOrder(table, orgId, placed);
  for (const barcode of ['PAST-1', 'PAST-2', 'PAST-3']) await readAtGate(table, orgId, eventId, barcode);
  return { orgId, unlinked, kept: [others, strangers] };
}

describe('an order that was imported without a customer, but with the address of one,', () => {
  it('is handed out and erased with the customer’s own, and so are its scans; those of others stay', async () => {
    const { orgId, unlinked, kept } = await givenPastOrders('org_unlinked');
    const { orders, scans } = await told('export', orgId);
    expect(orders).toHaveLength(2);
    expect(orders).toContainEqual(expect.objectContaining({ order_id: unlinked.orderId }));
    expect(scans).toContainEqual(expect.objectContaining({ barcode: 'PAST-1' }));

    expect(await told('erase', orgId)).toMatchObject({ erased: { orders: 2, scans: 3 } });
    expect(await readOrderWithTickets(table, orgId, unlinked.orderId)).toMatchObject({
      order: { firstName: null, emailAddress: null, status: 'confirmed' },
      tickets: [{ ticketName: null, emailAddress: null }],
    });
    expect(await readingsOf(table, orgId)).toContainEqual(['PAST-1', null, null]);
    for (const { orderId, emailAddress } of kept) {
      expect(await readOrderWithTickets(table, orgId, orderId)).toMatchObject({
        order: { firstName: 'Xanthippe', emailAddress },
      });
    }
    for (const barcode of ['PAST-2', 'PAST-3']) {
      expect(await readingsOf(table, orgId)).toContainEqual([barcode, 'Xanthippe', expect.stringMatching(/quixley/i)]);
    }
    const words = await itemsLike(table, `ORV#${orgId}#`);
    expect(words.filter(({ id }) => id === unlinked.orderId)).toEqual([]);
  });

  it('has its scans erased also where erasing was cut off after the order', async () => {
    const { orgId } = await givenPastOrders('org_cutoff');
    const customer = await findCustomer(table, orgId, 'C-1');
    if (customer === undefined) throw new Error('There is no customer.');
    await ordersPart.erase({ table, orgId, customer, nowUnix: nowMs / 1000, clock: { nowMs: () => nowMs } });
    expect(await told('erase', orgId)).toMatchObject({ erased: { orders: 0, scans: 3 } });
    expect(await readingsOf(table, orgId)).toContainEqual(['PAST-1', null, null]);
  });
});
