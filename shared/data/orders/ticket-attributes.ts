import * as v from 'valibot';
import type { TicketRecord, TicketStock } from '../../domain/orders/order.ts';
import type { TicketMoney } from '../../domain/orders/ticket-money.ts';

const amount = v.optional(v.number(), 0);

/** The amounts and stocks of a ticket, in the row of its barcode and in that of the order's tickets. Zero is not stored. */
export const moneyAttributes = { face: amount, off: amount, fee: amount, tax: amount, cut: amount, vat: amount };
export const stockAttributes = {
  pool: v.optional(v.number()),
  /** Only stored if the ticket was taken from its pool alone. */
  own: v.optional(v.boolean(), true),
  /** Only stored if the seat of the ticket was taken. */
  seated: v.optional(v.boolean(), false),
};

/** Only stored of a ticket that was given away: its former barcodes with their ends, and the customer who holds it. */
export const transferAttributes = {
  was: v.optional(v.array(v.tuple([v.string(), v.number()])), []),
  to: v.optional(v.number()),
};

export function storedTransfers({ transfers }: Pick<TicketRecord, 'transfers'>) {
  if (transfers === undefined) return {};
  const was = transfers.former.map(({ barcode, untilUnix }): [string, number] => [barcode, untilUnix]);
  return { was, to: transfers.toUserId ?? undefined };
}

export function transfersOf({ was, to }: { was: readonly (readonly [string, number])[]; to?: number | undefined }) {
  if (was.length === 0) return {};
  const former = was.map(([barcode, untilUnix]) => ({ barcode, untilUnix }));
  return { transfers: { toUserId: to ?? null, former } };
}

const Stored = v.object({ ...moneyAttributes, ...stockAttributes });

export function storedMoneyAndStock(ticket: TicketMoney & TicketStock): v.InferInput<typeof Stored> {
  return {
    face: ticket.faceMinor || undefined,
    off: ticket.rebateMinor || undefined,
    fee: ticket.serviceFeeMinor || undefined,
    tax: ticket.serviceTaxMinor || undefined,
    cut: ticket.discountMinor || undefined,
    vat: ticket.taxMinor || undefined,
    pool: ticket.poolIndex ?? undefined,
    own: ticket.ownStock ? undefined : false,
    seated: ticket.takesSeat || undefined,
  };
}

export function moneyAndStockOf(stored: v.InferOutput<typeof Stored>): TicketMoney & Required<TicketStock> {
  return {
    faceMinor: stored.face,
    rebateMinor: stored.off,
    serviceFeeMinor: stored.fee,
    serviceTaxMinor: stored.tax,
    discountMinor: stored.cut,
    taxMinor: stored.vat,
    poolIndex: stored.pool ?? null,
    ownStock: stored.own,
    takesSeat: stored.seated,
  };
}
