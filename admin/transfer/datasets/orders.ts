import { everyEvent } from '../../../shared/data/admin/every-event.ts';
import { everyOrder } from '../../../shared/data/admin/every-order.ts';
import { type ImportedOrder, importOrder } from '../../../shared/data/admin/import-order.ts';
import { orderUuidOf } from '../../../shared/data/admin/order-uuid.ts';
import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { type PriceList, readPriceList } from '../../../shared/data/prices/read.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import { minorUnits } from '../../../shared/domain/money.ts';
import { type Buyer, isSold, type NewOrder, orderRecords } from '../../../shared/domain/orders/order.ts';
import { defineKind, type SaveResult, type Scope } from '../dataset.ts';
import { blankOrder, OrderRow, orderRow } from './order-row.ts';
import { ticketsOfRow } from './order-tickets.ts';

export const orders = defineKind({
  name: 'orders',
  things: 'orders',
  key: 'order_ref',
  schema: OrderRow,
  async open(scope) {
    // Prices do not change while past orders come in, and every row would read them again.
    const listed = new Map<string, Promise<Listed | undefined>>();
    const eventOf = (code: string): Promise<Listed | undefined> => {
      const known = listed.get(code) ?? readListed(scope, code);
      listed.set(code, known);
      return known;
    };
    return {
      blank: blankOrder,
      // What is recorded of the past is not changed by columns: a row that is there stays as it is.
      find: async () => undefined,
      save: async (row) => save(row, await eventOf(row.event_code), scope),
    };
  },
  async *rows({ table, orgId }) {
    for await (const { eventId, code } of everyEvent(table, orgId)) {
      const { prices } = await readPriceList(table, orgId, eventId);
      const priceCodes = new Map(prices.map((price) => [price.index, price.code]));
      for await (const { order, tickets } of everyOrder(table, orgId, eventId)) {
        const customer = order.userId === null ? undefined : await readCustomer(table, orgId, order.userId);
        const org_customer_id = customer?.orgCustomerId ?? null;
        yield orderRow(order, tickets, { event_code: code, org_customer_id, priceCodes });
      }
    }
  },
});

interface Listed {
  readonly event: EventRecord;
  readonly list: PriceList;
}

async function readListed({ table, orgId }: Scope, code: string): Promise<Listed | undefined> {
  const event = await readEvent(table, orgId, derivedEventId(orgId, code), { consistent: true });
  return event && { event, list: await readPriceList(table, orgId, event.eventId, { consistent: true }) };
}

async function save(row: OrderRow, listed: Listed | undefined, { table, orgId }: Scope): Promise<SaveResult> {
  if (listed === undefined) return { rejected: `event_code names no event: "${row.event_code}".` };
  const { event, list } = listed;
  const tickets = ticketsOfRow(row.tickets, list);
  if (typeof tickets === 'string') return { rejected: tickets };
  const buyer = await buyerOf(row, { table, orgId });
  if (typeof buyer === 'string') return { rejected: buyer };
  const past: Omit<NewOrder, 'orderId'> = {
    ...buyer,
    orderUuid: orderUuidOf(orgId, row.order_ref),
    eventId: event.eventId,
    placedUnix: row.order_date,
    currency: event.currency,
    status: row.order_status,
    transactionFeeMinor: minorUnits(row.transaction_fee) ?? 0,
    discountMinor: minorUnits(row.discount_amount) ?? 0,
    paymentMethod: row.payment_method,
    tickets,
  };
  const isAlive = past.status === 'pending' || past.status === 'confirmed';
  if (orderRecords({ ...past, orderId: 0 }).tickets.some(isSold) !== isAlive) {
    return { rejected: `An order with order_status ${past.status} has ${isAlive ? 'a' : 'no'} ticket that is sold.` };
  }
  return resultOf(await importOrder(table, orgId, past), list);
}

function resultOf(imported: ImportedOrder, { prices }: PriceList): SaveResult {
  switch (imported.outcome) {
    case 'created':
    case 'unchanged':
      return imported.outcome;
    case 'other_event':
      return { rejected: 'order_ref is that of an order of another event.' };
    case 'invalid':
      return { rejected: `The order cannot be recorded: ${imported.problem}.` };
    case 'barcodes_taken':
      return { rejected: `Other tickets or members have these barcodes: ${imported.barcodes.join(', ')}.` };
    case 'no_stock': {
      const codes = prices.filter(({ index }) => imported.priceIndexes.includes(index)).map(({ code }) => code);
      return {
        rejected: `Fewer tickets are left than the order has: raise the capacity of ${codes.join(', ')} first.`,
      };
    }
  }
}

/** Who bought; where only the customer is named, the customer as it is now. */
async function buyerOf(row: OrderRow, { table, orgId }: Omit<Scope, 'nowUnix'>): Promise<Buyer | string> {
  const customer =
    row.org_customer_id === null
      ? undefined
      : await findCustomer(table, orgId, row.org_customer_id, { consistent: true });
  if (row.org_customer_id !== null && customer === undefined) {
    return `org_customer_id names no customer: "${row.org_customer_id}".`;
  }
  const isTold = row.first_name !== null || row.last_name !== null || row.email_address !== null;
  return {
    userId: customer?.userId ?? null,
    firstName: isTold ? row.first_name : (customer?.firstName ?? null),
    lastName: isTold ? row.last_name : (customer?.lastName ?? null),
    emailAddress: isTold ? row.email_address : (customer?.emailAddress ?? null),
    postcode: isTold ? row.postcode : (row.postcode ?? customer?.postcode ?? null),
    countryId: row.country_id,
    marketingOptIn: row.marketing_opt_in,
  };
}
