import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { GateRecord } from '../../domain/gates/gate.ts';
import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import type { ScanFacts, ScanRecord } from '../../domain/scans/scan.ts';
import { parseCategory } from '../prices/row.ts';
import { derivedId, derivedPriceCategoryId } from '../table/derived-id.ts';
import { priceCategoryKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { findMember } from './find-member.ts';
import { type FoundSubject, findTicket, type ScannedBarcode } from './find-ticket.ts';
import { type RecordedScan, readScan } from './record.ts';

/**
 * Looks up the ticket or member of a barcode for one gate, and refuses those that the gate is not for. It keeps the price
 * categories and first scans that it reads, because the response to the gate shows them.
 */
export class BarcodeLookup {
  readonly #table: Table;
  readonly #gate: GateRecord | undefined;
  /** The price categories that were read, by id. */
  readonly categories = new Map<number, PriceCategoryRecord>();
  readonly #firstScans = new Map<string, ScanRecord>();

  constructor(table: Table, gate: GateRecord | undefined) {
    this.#table = table;
    this.#gate = gate;
  }

  readonly find = async (read: ScannedBarcode): Promise<FoundSubject> => {
    const found = (await findMember(this.#table, read)) ?? (await findTicket(read));
    const { subject } = found;
    // The category and the first scan of a ticket for another event are not shown at this event.
    if (subject.refusal !== 'wrong_event') {
      await this.#loadDetails(read.orgId, read.scan.eventId, subject.facts, subject.log.firstSortKey);
    }
    const isWrongGate = read.scan.direction === 'in' && !this.#isOpenTo(read, subject.facts);
    return { ...found, subject: { ...subject, refusal: subject.refusal ?? (isWrongGate ? 'wrong_gate' : undefined) } };
  };

  /** Reads the details of a scan that `find` did not read: a report that is sent again is not evaluated again. */
  async loadDetails(orgId: string, { scan, firstSortKey }: RecordedScan): Promise<void> {
    await this.#loadDetails(orgId, scan.eventId, scan, firstSortKey);
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

  async #loadDetails(
    orgId: string,
    eventId: number,
    { categoryId }: ScanFacts,
    firstSortKey: string | null,
  ): Promise<void> {
    const isNewCategory = categoryId !== null && !this.categories.has(categoryId);
    const isNewSortKey = firstSortKey !== null && !this.#firstScans.has(firstSortKey);
    const [category, first] = await Promise.all([
      isNewCategory ? this.#readCategory(orgId, eventId, categoryId) : undefined,
      isNewSortKey ? readScan(this.#table, orgId, eventId, firstSortKey) : undefined,
    ]);
    if (category !== undefined) this.categories.set(category.categoryId, category);
    if (first !== undefined) this.#firstScans.set(first.sortKey, first);
  }

  async #readCategory(orgId: string, eventId: number, categoryId: number): Promise<PriceCategoryRecord | undefined> {
    const Key = priceCategoryKey(orgId, eventId, categoryId);
    const { Item } = await this.#table.client.send(new GetCommand({ TableName: this.#table.name, Key }));
    return Item === undefined ? undefined : parseCategory(Item);
  }
}
