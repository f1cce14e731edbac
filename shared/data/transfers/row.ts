import * as v from 'valibot';
import type { TicketRecord } from '../../domain/orders/order.ts';
import type { TransferOffer } from '../../domain/orders/transfer.ts';
import type { PassageLog } from '../../domain/scans/evaluate.ts';
import { isFormerBarcode, parsePassages, parseTicket, versionOf } from '../orders/barcode-row.ts';
import { endingOf } from '../orders/ticket-ending.ts';
import { carried, row, storedEnum } from '../table/row.ts';

/** Offers are in the row of the barcode, which every scan changes too: an acceptance and a scan have one winner. */
const StoredOffer = row({
  n: v.number(),
  mail: v.optional(v.string()),
  hash: v.string(),
  at: v.number(),
  until: v.number(),
  // Nothing is given away because of a state that is unknown here.
  st: storedEnum(['offered', 'accepted', 'cancelled'], 'cancelled'),
});
const StoredOffers = v.object({ offers: v.optional(v.array(StoredOffer), []), offered: v.optional(v.number(), 0) });

/** The row of a barcode with what transfers need to know. */
export interface BarcodeRow {
  readonly item: Readonly<Record<string, unknown>>;
  readonly ticket: TicketRecord;
  readonly log: PassageLog;
  /** Those of this barcode, the oldest first. */
  readonly offers: readonly TransferOffer[];
  /** How many offers of the ticket were made, also under other barcodes. */
  readonly offered: number;
  /** Whether the ticket has another barcode now. */
  readonly isFormer: boolean;
  /** The refund that the buyer has asked for, while it is under way. */
  readonly endingWith: number | undefined;
  readonly version: number;
}

export function parseBarcodeRow(item: Readonly<Record<string, unknown>>): BarcodeRow {
  const { offers, offered } = v.parse(StoredOffers, item);
  return {
    item,
    ticket: parseTicket(item),
    log: parsePassages(item),
    offers: offers.map((offer) => ({
      ...carried(offer),
      number: offer.n,
      emailAddress: offer.mail ?? null,
      tokenHash: offer.hash,
      offeredUnix: offer.at,
      expiresUnix: offer.until,
      state: offer.st,
    })),
    offered,
    isFormer: isFormerBarcode(item),
    endingWith: endingOf(item),
    version: versionOf(item),
  };
}

export function storedOffers(offers: readonly TransferOffer[]): object[] {
  return offers.map((offer) => ({
    ...carried(offer),
    n: offer.number,
    ...(offer.emailAddress !== null && { mail: offer.emailAddress }),
    hash: offer.tokenHash,
    at: offer.offeredUnix,
    until: offer.expiresUnix,
    st: offer.state,
  }));
}
