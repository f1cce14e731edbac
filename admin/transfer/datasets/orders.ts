import { type ImportedOrder, importOrder, orderUuidOf } from '../../../shared/data/admin/import-order.ts';
import { everyEvent, everyOrder } from '../../../shared/data/admin/read-all.ts';
import { countAllOrders } from '../../../shared/data/admin/totals.ts';
import { findCustomer, readCustomer } from '../../../shared/data/customers/read.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { type PriceList, readPriceList } from '../../../shared/data/prices/read.ts';
import { readMapOfEvent } from '../../../shared/data/seats/stock.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import { mergeMetadata } from '../../../shared/domain/metadata.ts';
import { minorUnits } from '../../../shared/domain/money.ts';
import { labelsOf } from '../../../shared/domain/orders/labels.ts';
import { type Buyer, isSold, type NewOrder, noEventId, orderRecords } from '../../../shared/domain/orders/order.ts';
import { excessDecimals } from '../../../shared/domain/prices/amounts.ts';
import type { SeatMap } from '../../../shared/domain/seats/seat-map.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { defineDataset, type SaveResult, type TransferContext } from '../dataset.ts';
import { OrderRow, orderDefaults, orderRow } from './order-row.ts';
import { ticketsOfRow } from './order-tickets.ts';

export const orders = defineDataset({
  name: 'orders',
  plural: 'orders',
  key: 'order_ref',
  schema: OrderRow,
  async open(context) {
    // Prices do not change during the import of past orders, so they are read once per event.
    const eventPrices = new Map<string, Promise<EventPrices | undefined>>();
    const eventOf = (code: string): Promise<EventPrices | undefined> => {
      const known = eventPrices.get(code) ?? readEventPrices(context, code);
      eventPrices.set(code, known);
      return known;
    };
    return {
      defaults: orderDefaults,
      // An order that exists already stays unchanged: imports do not change the past.
      find: async () => undefined,
      save: async (row, _isGiven, tried) => {
        const eventPrices = row.event_code === null ? undefined : await eventOf(row.event_code);
        return save(row, { eventPrices, tried }, context);
      },
    };
  },
  total: ({ table, orgId }) => countAllOrders(table, orgId),
  async *rows({ table, orgId }) {
    const { types } = await readMembershipConfig(table, orgId);
    const typeCodes = new Map([...types].map(([typeId, { code }]) => [typeId, code]));
    for await (const { eventId, event_code } of everyEventOfOrders(table, orgId)) {
      const { prices } = await readPriceList(table, orgId, eventId);
      const priceCodes = new Map(prices.map((price) => [price.index, price.code]));
      for await (const placed of everyOrder(table, orgId, eventId)) {
        const { userId } = placed.order;
        const customer = userId === null ? undefined : await readCustomer(table, orgId, userId);
        const org_customer_id = customer?.orgCustomerId ?? null;
        yield orderRow(placed, { event_code, org_customer_id, priceCodes, typeCodes });
      }
    }
  },
});

/** The events, and then the orders without one: those of memberships only. */
async function* everyEventOfOrders(table: Table, orgId: string) {
  for await (const { eventId, code } of everyEvent(table, orgId)) yield { eventId, event_code: code };
  yield { eventId: noEventId, event_code: null };
}

interface EventPrices {
  readonly event: EventRecord;
  readonly list: PriceList;
  readonly map: SeatMap | undefined;
}

async function readEventPrices({ table, orgId }: TransferContext, code: string): Promise<EventPrices | undefined> {
  const event = await readEvent(table, orgId, derivedEventId(orgId, code), { consistent: true });
  if (event === undefined) return undefined;
  const [list, map] = await Promise.all([
    readPriceList(table, orgId, event.eventId, { consistent: true }),
    readMapOfEvent(table, orgId, event),
  ]);
  return { event, list, map };
}

async function save(
  row: OrderRow,
  { eventPrices, tried }: { readonly eventPrices: EventPrices | undefined; readonly tried: TriedWrites },
  { table, orgId, clock }: TransferContext,
): Promise<SaveResult> {
  if (row.event_code === null) {
    return { rejected: 'event_code is missing. An order of memberships only is not imported: import its members.' };
  }
  if (row.memberships.length > 0) {
    const rule = 'memberships are not imported with an order: import its members.';
    return { rejected: `${rule} Leave memberships empty to import the tickets alone.` };
  }
  if (row.tickets.length === 0) return { rejected: 'tickets must be a list of tickets, in CSV as JSON.' };
  if (eventPrices === undefined) return { rejected: `event_code "${row.event_code}" does not exist.` };
  const { event, list, map } = eventPrices;
  const { transaction_fee, discount_amount } = row;
  const problem = excessDecimals({ transaction_fee, discount_amount }, event.currency);
  if (problem !== undefined) return { rejected: problem };
  const tickets = ticketsOfRow(row.tickets, { orderStatus: row.order_status, list, map, currency: event.currency });
  if (typeof tickets === 'string') return { rejected: tickets };
  const buyer = await buyerOf(row, { table, orgId });
  if (typeof buyer === 'string') return { rejected: buyer };
  const past: Omit<NewOrder, 'orderId'> = {
    ...buyer,
    orderUuid: orderUuidOf(orgId, row.order_ref),
    eventId: event.eventId,
    placedUnix: row.order_date,
    recordedUnix: unixSeconds(clock),
    currency: event.currency,
    status: row.order_status,
    transactionFeeMinor: minorUnits(transaction_fee, event.currency) ?? 0,
    discountMinor: minorUnits(discount_amount, event.currency) ?? 0,
    paymentMethod: row.payment_method,
    ...labelsOf({
      metadata: mergeMetadata(undefined, row.metadata),
      externalReference: row.external_reference ?? undefined,
    }),
    tickets,
  };
  const isOpen = past.status === 'pending' || past.status === 'confirmed';
  if (orderRecords({ ...past, orderId: 0 }).tickets.some(isSold) !== isOpen) {
    const rule = isOpen ? 'needs at least one sold ticket' : 'cannot have sold tickets';
    return { rejected: `An order with order_status ${past.status} ${rule}.` };
  }
  return resultOf(await importOrder(table, orgId, past, { tried, map }), list);
}

function resultOf(imported: ImportedOrder, { prices, pools }: PriceList): SaveResult {
  switch (imported.outcome) {
    case 'created':
    case 'unchanged':
      return imported.outcome;
    case 'other_event':
      return { rejected: 'order_ref belongs to an order of another event.' };
    case 'invalid':
      return { rejected: `The order cannot be recorded: ${imported.problem}.` };
    case 'barcodes_taken':
      return { rejected: `These barcodes belong to other tickets or members: ${imported.barcodes.join(', ')}.` };
    case 'seats_taken':
      return { rejected: `These seats are taken: ${imported.seats.join(', ')}.` };
    case 'no_stock': {
      const stocks = [...prices, ...pools.values()].filter(({ index }) => imported.indexes.includes(index));
      const codes = stocks.map(({ code }) => code);
      return {
        rejected: `Not enough tickets are left. Raise the capacity of ${codes.join(', ')} first.`,
      };
    }
  }
}

/** The buyer of the row; if the row only names the customer, the current data of the customer. */
async function buyerOf(row: OrderRow, { table, orgId }: Omit<TransferContext, 'clock'>): Promise<Buyer | string> {
  const customer =
    row.org_customer_id === null
      ? undefined
      : await findCustomer(table, orgId, row.org_customer_id, { consistent: true });
  if (row.org_customer_id !== null && customer === undefined) {
    return `org_customer_id "${row.org_customer_id}" does not exist.`;
  }
  const hasBuyer = row.first_name !== null || row.last_name !== null || row.email_address !== null;
  return {
    userId: customer?.userId ?? null,
    firstName: hasBuyer ? row.first_name : (customer?.firstName ?? null),
    lastName: hasBuyer ? row.last_name : (customer?.lastName ?? null),
    emailAddress: hasBuyer ? row.email_address : (customer?.emailAddress ?? null),
    postcode: hasBuyer ? row.postcode : (row.postcode ?? customer?.postcode ?? null),
    countryId: row.country_id,
    marketingOptIn: row.marketing_opt_in,
  };
}
