import type { GateRecord } from '../../domain/gates/gate.ts';
import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import type { ScanFacts, ScanRecord } from '../../domain/scans/scan.ts';
import { derivedId, derivedPriceCategoryId } from '../table/derived-id.ts';
import type { Table } from '../table/table.ts';
import { findMember } from './find-member.ts';
import { type FoundSubject, findTicket, type ScannedBarcode } from './find-ticket.ts';
import { type RecordedScan, readScan } from './record.ts';

interface GateView {
  /** The gate at which the barcode is read, if it is registered. */
  readonly gate: GateRecord | undefined;
  /** The price categories of the event, by id. */
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
}

/**
 * Looks up the ticket or member of a barcode for one gate, and refuses those that the gate is not for. It keeps the first scans
 * that it reads, because the response to the gate shows them.
 */
export class BarcodeLookup {
  readonly #table: Table;
  readonly #gate: GateRecord | undefined;
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  readonly #firstScans = new Map<string, ScanRecord>();

  constructor(table: Table, { gate, categories }: GateView) {
    this.#table = table;
    this.#gate = gate;
    this.categories = categories;
  }

  readonly find = async (read: ScannedBarcode): Promise<FoundSubject> => {
    const found = (await findMember(this.#table, read)) ?? (await findTicket(read));
    const { subject } = found;
    // The first scan of a ticket for another event is not shown at this event.
    if (subject.refusal !== 'wrong_event') {
      await this.#loadFirstScan(read.orgId, read.scan.eventId, subject.log.firstSortKey);
    }
    const isWrongGate = read.scan.direction === 'in' && !this.#isOpenTo(read, subject.facts);
    return { ...found, subject: { ...subject, refusal: subject.refusal ?? (isWrongGate ? 'wrong_gate' : undefined) } };
  };

  /** Reads the first scan if `find` did not read it: a report that is sent again is not evaluated again. */
  async loadFirstScan(orgId: string, { scan, firstSortKey }: RecordedScan): Promise<void> {
    await this.#loadFirstScan(orgId, scan.eventId, firstSortKey);
  }

  /** Returns, for a refused scan, the scan that first admitted the same ticket or member. */
  firstScanOf({ firstSortKey }: RecordedScan): ScanRecord | null {
    return firstSortKey === null ? null : (this.#firstScans.get(firstSortKey) ?? null);
  }

  /** A gate lists codes of categories. Ids are derived from codes, so no category has to be read. */
  #isOpenTo({ orgId, scan }: ScannedBarcode, { categoryId, membershipCategoryId, ticketId }: ScanFacts): boolean {
    const { priceCategories = 'all', membershipCategories = 'all' } = this.#gate ?? {};
    const isTicket = ticketId !== null;
    const codes = isTicket ? priceCategories : membershipCategories;
    if (codes === 'all') return true;
    return isTicket
      ? codes.some((code) => derivedPriceCategoryId(orgId, scan.eventId, code) === categoryId)
      : codes.some((code) => derivedId(orgId, 'category', code) === membershipCategoryId);
  }

  async #loadFirstScan(orgId: string, eventId: number, sortKey: string | null): Promise<void> {
    if (sortKey === null || this.#firstScans.has(sortKey)) return;
    const first = await readScan(this.#table, orgId, eventId, sortKey);
    if (first !== undefined) this.#firstScans.set(first.sortKey, first);
  }
}
