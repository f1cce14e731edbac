import * as v from 'valibot';
import { type ScanSubject, ticketSubject, unknownSubject } from '../../domain/scans/judgement.ts';
import type { Scan } from '../../domain/scans/scan.ts';
import { parsePassages, parseTicket, versionOf } from '../orders/ticket-row.ts';
import { barcodeKey, type ItemKey } from '../table/keys.ts';

/** Whom a barcode admits, and the item that keeps its passages: a ticket's is its own. */
export interface FoundSubject {
  readonly subject: ScanSubject;
  /** Version 0 is an item that does not exist yet; undefined where nobody is admitted anyway. */
  readonly log: { readonly key: ItemKey; readonly version: number } | undefined;
}

export interface ReadBarcode {
  readonly orgId: string;
  readonly scan: Scan;
  /** The item of the barcode, if there is one. */
  readonly item: Readonly<Record<string, unknown>> | undefined;
}

/** Finds whom a barcode admits. Asked again after a lost race. */
export type FindSubject = (read: ReadBarcode) => Promise<FoundSubject>;

const nobody: FoundSubject = { subject: unknownSubject, log: undefined };

/** Tickets are admitted, and everybody else is unknown. */
export async function findTicket({ orgId, scan, item }: ReadBarcode): Promise<FoundSubject> {
  if (!v.is(OfTicket, item)) return nobody;
  const subject = ticketSubject(parseTicket(item), parsePassages(item), scan);
  return { subject, log: { key: barcodeKey(orgId, scan.barcode), version: versionOf(item) } };
}

const OfTicket = v.object({ kind: v.literal('ticket') });
