import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { GateRecord } from '../../domain/gates/gate.ts';
import type { PriceCategoryRecord } from '../../domain/prices/price.ts';
import type { ScanFacts, ScanRecord } from '../../domain/scans/scan.ts';
import { parseCategory } from '../prices/row.ts';
import { derivedId, derivedPriceCategoryId } from '../table/derived-id.ts';
import { priceCategoryKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { findMember } from './member.ts';
import { type RecordedScan, readScan } from './record.ts';
import { type FoundSubject, findTicket, type ReadBarcode } from './subject.ts';

/**
 * Who is let in at one gate of one event: tickets and members, as far as the gate is for them. It keeps what it read on the
 * way, because that is also what the steward is shown.
 */
export class Admission {
  readonly #table: Table;
  readonly #gate: GateRecord | undefined;
  /** The price categories that were met, by id. */
  readonly categories = new Map<number, PriceCategoryRecord>();
  readonly #firstScans = new Map<string, ScanRecord>();

  constructor(table: Table, gate: GateRecord | undefined) {
    this.#table = table;
    this.#gate = gate;
  }

  readonly find = async (read: ReadBarcode): Promise<FoundSubject> => {
    const found = (await findMember(this.#table, read)) ?? (await findTicket(read));
    const { subject } = found;
    // What a ticket of another event was shown with there is nothing to look up here.
    if (subject.refusal !== 'wrong_event') {
      await this.#readMore(read.orgId, read.scan.eventId, subject.facts, subject.log.firstSortKey);
    }
    const isElsewhere = read.scan.direction === 'in' && !this.#isFor(read, subject.facts);
    return { ...found, subject: { ...subject, refusal: subject.refusal ?? (isElsewhere ? 'wrong_gate' : undefined) } };
  };

  /** Reads what a scan is shown with that was not met: a report that is sent again is not judged again. */
  async complete(orgId: string, { scan, firstSortKey }: RecordedScan): Promise<void> {
    await this.#readMore(orgId, scan.eventId, scan, firstSortKey);
  }

  /** Of a refused scan: the one that first let the same ticket or member in. */
  firstScanOf({ firstSortKey }: RecordedScan): ScanRecord | null {
    return firstSortKey === null ? null : (this.#firstScans.get(firstSortKey) ?? null);
  }

  /** Categories are known by codes, and ids follow from these: nothing has to be looked up. */
  #isFor({ orgId, scan }: ReadBarcode, { categoryId, membershipCategoryId, ticketId }: ScanFacts): boolean {
    const { priceCategories = 'all', membershipCategories = 'all' } = this.#gate ?? {};
    const isTicket = ticketId !== null;
    const codes = isTicket ? priceCategories : membershipCategories;
    if (codes === 'all') return true;
    return isTicket
      ? codes.some((code) => derivedPriceCategoryId(orgId, scan.eventId, code) === categoryId)
      : codes.some((code) => derivedId(orgId, 'category', code) === membershipCategoryId);
  }

  async #readMore(
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
