import { expect } from 'vitest';
import { findTicket } from '../../shared/data/orders/find-ticket.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import { barcodeKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { executeRefunds } from '../../shared/sales/checkout/sweep-basket.ts';
import { cancelOwnTicket } from '../../shared/sales/refunds/cancel-own-ticket.ts';
import { offerTransfer } from '../../shared/sales/tickets/offer-transfer.ts';
import { aScan, itemsLike } from '../../tools/fixtures/orders.ts';
import {
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  type OnSale,
  type TestCheckoutDeps,
} from './baskets.ts';
import { comparable } from './comparable-items.ts';

export const terms = { selfCancel: { untilHours: 24, keepPercent: 10 } } as const;

interface Purchase {
  readonly paymentMethod?: string;
  readonly onSale?: (deps: TestCheckoutDeps) => Promise<OnSale>;
  readonly quantity?: number;
}

/** Two tickets of 32.15 that somebody has bought, and what the buyer can do with the first. */
export async function bought(
  table: Table,
  {
    paymentMethod = 'pm_card_visa',
    onSale = (deps: TestCheckoutDeps) => givenOnSale(table, deps.orgId, { capacity: 10, ...terms }),
    quantity = 2,
  }: Purchase = {},
) {
  const deps = newCheckoutDeps(table);
  const { price } = await onSale(deps);
  const { basketId: orderId } = await givenBasket(deps, price, quantity);
  const sold = await checkOutWith(deps, orderId, { paymentMethod });
  if (sold.outcome !== 'confirmed') throw new Error(sold.outcome);
  return actionsOf(deps, price, orderId);
}

export async function actionsOf(deps: TestCheckoutDeps, price: PriceRecord, orderId: number) {
  const { table, orgId } = deps;
  const ticketId = orderId + 1;
  const found = await findTicket(table, orgId, ticketId);
  if (found === undefined) throw new Error('There is no such ticket.');
  const fanId = found.order.userId ?? 0;
  const request = { ref: found.ref, ticketId, fanId, dryRun: false };
  const scanAt = (used: Table) =>
    recordScan(used, {
      orgId,
      nonce: null,
      scan: aScan(found.ticket.barcode, {
        eventId: price.eventId,
        scannedUnix: deps.nowUnix,
        receivedMs: deps.nowUnix * 1000,
      }),
    });
  return {
    deps,
    price,
    orderId,
    ticketId,
    fanId,
    found,
    cancel: (changes: Partial<typeof request> = {}, used = deps) =>
      cancelOwnTicket(used, { ...request, ...changes }, () => []),
    quote: () => cancelOwnTicket(deps, { ...request, dryRun: true }, () => []),
    execute: () => executeRefunds(deps, orderId),
    scan: async (used = table) => (await scanAt(used)).scan.result,
    offer: (used = table) =>
      offerTransfer(
        { ...deps, table: used },
        found,
        { emailAddress: 'grace@example.com', tokenHash: 'h', fanId },
        () => [],
      ),
    placed: async () => {
      const placed = await readOrderWithTickets(table, orgId, orderId);
      if (placed === undefined) throw new Error('The order is missing.');
      return placed;
    },
    statuses: async () => (await readOrderWithTickets(table, orgId, orderId))?.tickets.map(({ status }) => status),
    free: async () => (await readStock(table, orgId, price.eventId)).get(price.index)?.avail,
    row: async () => (await itemsLike(table, barcodeKey(orgId, found.ticket.barcode).pk))[0],
    rows: async () => comparable(await itemsLike(table, orgId)),
  };
}

export const refusal = (reason: string) => ({ refusal: expect.objectContaining({ reason }) });
