import { eraseBuyer, isOfBuyer } from '../../shared/data/admin/erase-buyer.ts';
import { everyEvent } from '../../shared/data/admin/read-all.ts';
import { changeBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { ordersByEmail, ordersOfUser, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { eraseFreeTexts, refundsOf } from '../../shared/domain/baskets/refunds.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import type { OrderRecord, OrderWithTickets } from '../../shared/domain/orders/order.ts';
import type { RefundRecord } from '../../shared/domain/orders/refund.ts';
import type { ShownTicket } from '../../shared/domain/orders/shown-order.ts';
import { invoiceAddress } from '../../shared/mappers/invoice-address.ts';
import { orderResource, shownEventId, ticketFields } from '../../shared/mappers/order.ts';
import { orderMembership } from '../../shared/mappers/order-membership.ts';
import { orderRefund } from '../../shared/mappers/order-refund.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { eraseHolderNames } from './holder-names.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';
import { isGivenAway } from './transfers.ts';

/** The orders of the person at all events, in any status, with their tickets and refunds. */
export const ordersSection: PersonSection = {
  name: 'orders',
  async collect(person) {
    const { table, orgId } = person;
    const documents = (await findOrders(person)).map(async ({ orderId }) => {
      const [placed, basket] = await Promise.all([
        readOrderWithTickets(table, orgId, orderId),
        readBasket(table, orgId, orderId),
      ]);
      return placed && orderDocument(person, placed, refundsOf(placed.order, basket));
    });
    return (await Promise.all(documents)).filter((document) => document !== undefined);
  },
  async erase(person, reached) {
    let erased = 0;
    const { table, orgId, clock } = person;
    for (const { orderId } of await findOrders(person)) {
      reached?.orderIds.add(orderId);
      await changeBasket(table, { orgId, basketId: orderId, decide: eraseFreeTexts });
      const names = await eraseHolderNames(person, orderId, isOfBuyer);
      const outcome = await eraseBuyer(table, { orgId, orderId, nowUnix: unixSeconds(clock) }, names.announce);
      if (outcome === 'erased' || names.erased > 0) erased += 1;
    }
    return erased;
  },
};

/**
 * The orders of the customer, and those that were imported without a customer but with an email address of the person, if a
 * checkout would have found the customer by it. Orders of other customers are not included.
 */
export async function findOrders(person: Person): Promise<readonly OrderRecord[]> {
  const { table, orgId, customer, addresses } = person;
  const orders: OrderRecord[] = [...(await ordersOfUser(table, orgId, customer.userId, 'all'))];
  for await (const { eventId } of everyEvent(table, orgId)) {
    for (const address of addresses) {
      const found = await ordersByEmail(table, orgId, eventId, address);
      orders.push(
        ...found.filter(
          (order) => order.userId === null && ownsAddress(person, order.emailAddress, nameIdentity(order)),
        ),
      );
    }
  }
  return orders;
}

function orderDocument(person: Person, placed: OrderWithTickets, refunds: readonly RefundRecord[]) {
  const { order, memberships } = placed;
  return {
    ...orderResource(order),
    event_id: shownEventId(order),
    total: majorUnits(order.totalMinor, order.currency),
    currency: order.currency,
    code: order.code ?? null,
    invoice_address: order.invoiceAddress ? invoiceAddress(order.invoiceAddress) : null,
    // Why something was given away may name the person.
    ...(order.tender?.reason !== undefined && { tender: { kind: order.tender.kind, reason: order.tender.reason } }),
    // Who holds a ticket that was given away is that person's data.
    tickets: placed.tickets
      .map((ticket) => (isGivenAway(person, ticket) ? { ...ticket, barcode: null, ticketName: null } : ticket))
      .map((ticket) => ticketDocument(ticket, order.currency)),
    memberships: memberships.map((membership) => orderMembership(membership, order.currency)),
    refunds: refunds.map((refund) => orderRefund(order, refund)),
  };
}

function ticketDocument(ticket: ShownTicket, currency: string) {
  return {
    ...ticketFields(ticket, currency),
    price_id: ticket.priceId,
    category_title: ticket.categoryTitle,
    membership_member_id: ticket.holderMemberId,
  };
}
