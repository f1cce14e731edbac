import type { EventRecord } from '../events/event.ts';

export const transferRules = ['none', 'anyone'] as const;
export type TransferRule = (typeof transferRules)[number];

/**
 * What the holder of a ticket may do, and when. The rules are those that the price has now, also for tickets that are sold:
 * an organisation can open transfers or keep names open for everyone. Hours are counted back from the start of the event.
 */
export interface TicketRules {
  /** The last hour in which the name on the ticket can change; null: until the start. */
  readonly namesUntilHours: number | null;
  /** From when on fans see the barcode; null: at once. */
  readonly barcodeFromHours: number | null;
  /** Null: `anyone`, and `none` if the price is for members. */
  readonly transfer: TransferRule | null;
  /** The last hour in which the ticket can be given to somebody else; null: until the start. */
  readonly transferUntilHours: number | null;
}

/** A year: longer than any sale. */
export const maxRuleHours = 8_784;

type Start = Pick<EventRecord, 'startUnix'>;

const hoursBefore = ({ startUnix }: Start, hours: number): number => Math.max(0, startUnix - hours * 3_600);

export function transferOf({
  transfer,
  membershipTypeId,
}: Pick<TicketRules, 'transfer'> & { readonly membershipTypeId: number | null }): TransferRule {
  return transfer ?? (membershipTypeId === null ? 'anyone' : 'none');
}

/** The second from which on fans see the barcode; null if they always do. */
export function barcodeFromUnix({ barcodeFromHours }: Pick<TicketRules, 'barcodeFromHours'>, event: Start) {
  return barcodeFromHours === null ? null : hoursBefore(event, barcodeFromHours);
}

/** The first second in which the name cannot change any more. */
export function namesUntilUnix({ namesUntilHours }: Pick<TicketRules, 'namesUntilHours'>, event: Start): number {
  return hoursBefore(event, namesUntilHours ?? 0);
}

/** The first second in which the ticket cannot be transferred any more. */
export function transferUntilUnix({ transferUntilHours }: Pick<TicketRules, 'transferUntilHours'>, event: Start) {
  return hoursBefore(event, transferUntilHours ?? 0);
}

/** The prices whose barcodes fans do not see from the start, by index, with the second from which on they do. */
export type BarcodeTimes = ReadonlyMap<number, number>;

export function barcodeTimes(
  prices: readonly (Pick<TicketRules, 'barcodeFromHours'> & { readonly index: number })[],
  event: Start | undefined,
): BarcodeTimes {
  if (event === undefined) return new Map();
  return new Map(
    prices.flatMap((price) => {
      const fromUnix = barcodeFromUnix(price, event);
      return fromUnix === null ? [] : [[price.index, fromUnix] as const];
    }),
  );
}

/** The tickets as a fan sees them now: without the barcodes that are not shown yet. */
export function withFanBarcodes<Ticket extends { readonly barcode: string | null; readonly priceIndex: number }>(
  tickets: readonly Ticket[],
  times: BarcodeTimes,
  nowUnix: number,
): readonly (Omit<Ticket, 'barcode'> & { readonly barcode: string | null })[] {
  return tickets.map((ticket) => ({
    ...ticket,
    barcode: nowUnix < (times.get(ticket.priceIndex) ?? 0) ? null : ticket.barcode,
  }));
}
