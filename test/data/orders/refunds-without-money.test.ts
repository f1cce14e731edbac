import { beforeAll, describe, expect, it } from 'vitest';
import { importOrder } from '../../../shared/data/admin/import-order.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { addItem, checkOutWith, givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { expectEntries } from '../../support/journal.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('a refund that returns no money', () => {
  it('of a free ticket in a paid order calls no provider, and no money moves in the journal', async () => {
    const deps = newCheckoutDeps(table);
    const { event, price } = await givenOnSale(table, deps.orgId);
    const free = await givenPrice(table, deps.orgId, {
      eventId: event.eventId,
      categoryId: price.categoryId,
      code: 'free',
      priceMinor: 0,
      rebateMinor: 0,
      serviceFeeMinor: 0,
      serviceTaxMinor: 0,
    });
    const { basketId: orderId } = await givenBasket(deps, price);
    await addItem(deps, orderId, free);
    await checkOutWith(deps, orderId);
    const placed = await readOrderWithTickets(table, deps.orgId, orderId);
    const tickets = placed?.tickets.filter(({ priceIndex }) => priceIndex === free.index) ?? [];
    let asked = 0;
    const byName = async () => {
      asked += 1;
      return deps.payments.current();
    };
    const ids = tickets.map(({ ticketId }) => ticketId);
    await refundOrder({ ...deps, payments: { ...deps.payments, byName } }, { orderId, tickets: ids });
    expect(asked).toBe(0);
    const after = await readOrderWithTickets(table, deps.orgId, orderId);
    expect(after).toMatchObject({ order: { status: 'confirmed', refundedMinor: 0 } });
    expect(after?.tickets.map(({ status }) => status).toSorted()).toEqual([1, 3]);
    await expectEntries(deps, orderId, ['sale', 'refund']);
  });

  it('of an imported order, which was paid elsewhere, is not in the journal, and neither is its sale', async () => {
    const deps = newCheckoutDeps(table);
    const { orgId } = deps;
    const { event, price } = await givenOnSale(table, orgId);
    const ticket = aTicket({ priceId: price.priceId, priceIndex: price.index });
    const past = anOrder({ eventId: event.eventId, tickets: [ticket] });
    expect(await importOrder(table, orgId, past)).toEqual({ outcome: 'created' });
    const orderId = (await readOrderByUuid(table, orgId, past.orderUuid))?.orderId ?? 0;
    expect(await entriesOfOrder(table, orgId, orderId)).toEqual([]);
    expect(await refundOrder(deps, { orderId, tickets: 'all' })).toMatchObject({ outcome: 'recorded' });
    expect((await readOrderWithTickets(table, orgId, orderId))?.order.status).toBe('refunded');
    expect(await entriesOfOrder(table, orgId, orderId)).toEqual([]);
  });
});
