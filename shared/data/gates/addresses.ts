import { orderSortKey } from '../../domain/orders/order.ts';
import type { TicketTransfers } from '../../domain/orders/transfer.ts';
import { parseCustomer } from '../customers/row.ts';
import type { ListedTicket } from '../orders/list-tickets.ts';
import { parseOrder } from '../orders/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { barcodeKey, customerKey, type ItemKey, orderKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseBarcodeRow } from '../transfers/row.ts';

export interface TicketAddresses {
  readonly buyerEmail: string | null;
  /** Null if whoever has the ticket is no customer that we know. */
  readonly holderUserId: number | null;
  readonly holderEmail: string | null;
}

type RowOfTicket = Pick<ListedTicket, 'ticket' | 'orderSortKey'>;

/**
 * Who bought the tickets of a page, and who has them. A ticket that was given to a signed-in fan follows the address of that customer; for
 * anyone else the address of the accepted offer is all that is known. Reads at half price: what was just changed may be missing.
 */
export async function readAddresses(
  table: Table,
  orgId: string,
  eventId: number,
  rows: readonly RowOfTicket[],
): Promise<(row: RowOfTicket) => TicketAddresses> {
  const given = rows.flatMap(({ ticket: { transfers } }) => transfers ?? []);
  const [orders, customers, barcodes] = await Promise.all([
    readAll(table, rows, (row) => orderKey(orgId, eventId, row.orderSortKey)),
    readAll(table, given, ({ toUserId }) => (toUserId === null ? undefined : customerKey(orgId, toUserId))),
    readAll(table, given, (transfers) => barcodeKey(orgId, lastFormerBarcode(transfers))),
  ]);
  const orderAt = new Map(orders.map(parseOrder).map((order) => [orderSortKey(order), order]));
  const customerOf = new Map(customers.map(parseCustomer).map((customer) => [customer.userId, customer]));
  const acceptedBy = new Map(
    barcodes.map(parseBarcodeRow).map(({ ticket, offers }) => {
      const accepted = offers.find(({ state }) => state === 'accepted');
      return [ticket.barcode, accepted?.emailAddress ?? null];
    }),
  );
  return ({ ticket: { transfers }, orderSortKey: sortKey }) => {
    const { emailAddress: buyerEmail = null, userId = null } = orderAt.get(sortKey) ?? {};
    if (transfers === undefined) return { buyerEmail, holderUserId: userId, holderEmail: buyerEmail };
    const holder = customerOf.get(transfers.toUserId ?? 0);
    const holderEmail = holder?.emailAddress ?? acceptedBy.get(lastFormerBarcode(transfers)) ?? null;
    return { buyerEmail, holderUserId: transfers.toUserId, holderEmail };
  };
}

/** Its row has the offer that the holder accepted. */
const lastFormerBarcode = ({ former }: TicketTransfers): string => former.at(-1)?.barcode ?? '';

/** A batch takes each key once. */
function readAll<One>(table: Table, all: readonly One[], keyOf: (one: One) => ItemKey | undefined) {
  const keys = all.flatMap((one) => keyOf(one) ?? []);
  const distinct = new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key]));
  return batchGet(table, [...distinct.values()], { consistent: false });
}
