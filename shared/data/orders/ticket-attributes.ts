import * as v from 'valibot';
import type { TicketStock } from '../../domain/orders/order.ts';
import type { TicketMoney } from '../../domain/orders/ticket-money.ts';

const amount = v.optional(v.number(), 0);

/** The amounts and stocks of a ticket, in the row of its barcode and in that of the order's tickets. Zero is not stored. */
export const moneyAttributes = { face: amount, off: amount, fee: amount, tax: amount, cut: amount, vat: amount };
export const stockAttributes = {
  pool: v.optional(v.number()),
  /** Only stored if the ticket was taken from its pool alone. */
  own: v.optional(v.boolean(), true),
};

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
  };
}

export function moneyAndStockOf(stored: v.InferOutput<typeof Stored>): TicketMoney & TicketStock {
  return {
    faceMinor: stored.face,
    rebateMinor: stored.off,
    serviceFeeMinor: stored.fee,
    serviceTaxMinor: stored.tax,
    discountMinor: stored.cut,
    taxMinor: stored.vat,
    poolIndex: stored.pool ?? null,
    ownStock: stored.own,
  };
}
