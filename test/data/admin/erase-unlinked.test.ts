import { describe, expect, it } from 'vitest';
import { ordersSection } from '../../../admin/person/orders.ts';
import { personOf } from '../../../admin/person/section.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { givenEvents } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket, orderWords } from '../../../tools/fixtures/orders.ts';
import { givenAdmin } from '../../support/admin.ts';
import { givenPersonWithTraces, scanAtGate, scansOf } from '../../support/person-with-traces.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const { table, admin } = await givenAdmin(() => nowMs);

async function runCustomer(command: 'export' | 'erase', orgId: string) {
  const yes = command === 'erase' ? ['--yes'] : [];
  return JSON.parse((await admin('customer', command, orgId, 'C-1', ...yes, '--local', '--json')).stdout);
}

/** Three more orders: imported without a customer, of another customer with the same address, and with another address. */
async function givenPastOrders(name: string) {
  const orgId = await givenPersonWithTraces(table, name, nowMs / 1000);
  const [{ eventId } = { eventId: 0 }] = await givenEvents(table, orgId, [{}]);
  const bought = { eventId, firstName: 'Xanthippe', lastName: 'Quixley', emailAddress: 'Quixley@Trace.example' };
  const ticket = (barcode: string) => ({ tickets: [aTicket({ barcode, ticketName: 'Xanthippe' })] });
  const unlinked = anOrder({ ...bought, ...ticket('PAST-1') });
  const others = anOrder({ ...bought, userId: 999, ...ticket('PAST-2') });
  const withOtherAddress = anOrder({ ...bought, emailAddress: 'quixley@trace.example.org', ...ticket('PAST-3') });
  for (const placed of [unlinked, others, withOtherAddress]) await writeOrder(table, orgId, placed);
  for (const barcode of ['PAST-1', 'PAST-2', 'PAST-3']) await scanAtGate(table, orgId, eventId, barcode);
  return { orgId, unlinked, kept: [others, withOtherAddress] };
}

describe('customer export and erase of an order that was imported without a customer', () => {
  it('include the order and its scans if it has the email address of the customer', async () => {
    const { orgId, unlinked, kept } = await givenPastOrders('org_unlinked');
    const { orders, scans } = await runCustomer('export', orgId);
    expect(orders).toHaveLength(2);
    expect(orders).toContainEqual(expect.objectContaining({ order_id: unlinked.orderId }));
    expect(scans).toContainEqual(expect.objectContaining({ barcode: 'PAST-1' }));

    expect(await runCustomer('erase', orgId)).toMatchObject({ erased: { orders: 2, scans: 3 } });
    expect(await readOrderWithTickets(table, orgId, unlinked.orderId)).toMatchObject({
      order: { firstName: null, emailAddress: null, status: 'confirmed' },
      tickets: [{ ticketName: null, emailAddress: null }],
    });
    expect(await scansOf(table, orgId)).toContainEqual(['PAST-1', null, null]);
    for (const { orderId, emailAddress } of kept) {
      expect(await readOrderWithTickets(table, orgId, orderId)).toMatchObject({
        order: { firstName: 'Xanthippe', emailAddress },
      });
    }
    for (const barcode of ['PAST-2', 'PAST-3']) {
      expect(await scansOf(table, orgId)).toContainEqual([barcode, 'Xanthippe', expect.stringMatching(/quixley/i)]);
    }
    const words = await orderWords(table, orgId, unlinked.eventId);
    expect(words.filter(({ sk }) => String(sk).startsWith('xanthippe'))).toHaveLength(kept.length);
  });

  it('erase its scans, also if an earlier erase was interrupted after the order', async () => {
    const { orgId } = await givenPastOrders('org_cutoff');
    const customer = await findCustomer(table, orgId, 'C-1');
    if (customer === undefined) throw new Error('The customer does not exist.');
    const times = { requestId: 'cli_1', clock: { nowMs: () => nowMs } };
    await ordersSection.erase(await personOf(table, orgId, customer, times));
    expect(await runCustomer('erase', orgId)).toMatchObject({ erased: { orders: 0, scans: 3 } });
    expect(await scansOf(table, orgId)).toContainEqual(['PAST-1', null, null]);
  });
});
