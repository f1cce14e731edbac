import * as v from 'valibot';
import type { TicketRecord, TicketStock } from '../../domain/orders/order.ts';
import type { KeptMoney, TicketMoney } from '../../domain/orders/ticket-money.ts';

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

/** The price of a ticket, as it was when the ticket was sold. */
export const priceAttributes = {
  price: v.number(),
  nth: v.number(),
  title: v.string(),
  cat: v.number(),
  group: v.string(),
  /** Only stored if the buyer may cancel the ticket: until how many hours before the start, and what is kept in percent. */
  sc: v.optional(v.tuple([v.number(), v.number()])),
};

/** Who has the ticket, and where the person sits. */
const text = v.optional(v.string());
export const holderAndSeatAttributes = {
  name: text,
  member: v.optional(v.number()),
  section: text,
  part: text,
  aisle: text,
  row: text,
  seat: text,
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

/** Only stored of a ticket or membership of which a refund kept something. */
export const keptAttributes = { kept: v.optional(v.number()) };

export const storedKept = ({ keptMinor }: KeptMoney) => ({ kept: keptMinor || undefined });

export const keptOf = ({ kept }: { kept?: number | undefined }): KeptMoney => (kept ? { keptMinor: kept } : {});

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

const StoredPrice = v.object(priceAttributes);

export function storedPrice(ticket: TicketRecord): v.InferInput<typeof StoredPrice> {
  return {
    price: ticket.priceId,
    nth: ticket.priceIndex,
    title: ticket.priceTitle,
    cat: ticket.categoryId,
    group: ticket.categoryTitle,
    ...(ticket.selfCancel && { sc: [ticket.selfCancel.untilHours, ticket.selfCancel.keepPercent] }),
  };
}

export function priceOf(stored: v.InferOutput<typeof StoredPrice>) {
  return {
    priceId: stored.price,
    priceIndex: stored.nth,
    priceTitle: stored.title,
    categoryId: stored.cat,
    categoryTitle: stored.group,
    ...(stored.sc && { selfCancel: { untilHours: stored.sc[0], keepPercent: stored.sc[1] } }),
  };
}

const StoredHolder = v.object(holderAndSeatAttributes);

export function storedHolderAndSeat(ticket: TicketRecord): v.InferInput<typeof StoredHolder> {
  return {
    name: ticket.ticketName ?? undefined,
    member: ticket.holderMemberId ?? undefined,
    section: ticket.sectionLabel ?? undefined,
    part: ticket.subSectionTitle ?? undefined,
    aisle: ticket.seatAisle ?? undefined,
    row: ticket.seatRow ?? undefined,
    seat: ticket.seatTitle ?? undefined,
  };
}

export function holderAndSeatOf(stored: v.InferOutput<typeof StoredHolder>) {
  return {
    ticketName: stored.name ?? null,
    holderMemberId: stored.member ?? null,
    sectionLabel: stored.section ?? null,
    subSectionTitle: stored.part ?? null,
    seatAisle: stored.aisle ?? null,
    seatRow: stored.row ?? null,
    seatTitle: stored.seat ?? null,
  };
}
