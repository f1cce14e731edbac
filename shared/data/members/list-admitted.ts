import { planMembers } from '../../domain/members/filters.ts';
import { isOverdue } from '../../domain/scans/member-subject.ts';
import { readMembershipConfig } from '../membership/config.ts';
import { readEntries } from '../scans/entries.ts';
import { batchGet } from '../table/batch-get.ts';
import { barcodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Chunk, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface AdmittedListing {
  readonly orgId: string;
  /** Every member that changed after this second, also those that are not admitted any more. */
  readonly updatedSince: number | undefined;
  readonly after: CardPosition | undefined;
  readonly limit: number;
  readonly event: AdmittingEvent;
}

/** A term of some types admits to a number of events only. */
export interface AdmittingEvent {
  readonly eventId: number;
  readonly startUnix: number;
}

/** A card in the list: the sort key of its member, and after the member's card its former ones from 1. */
export interface CardPosition {
  readonly sortKey: string;
  readonly former: number;
}

/** A card of a member: the one that is valid, or a former one, which admits nobody. */
export interface ListedCard {
  readonly member: MemberRecord;
  readonly barcode: string;
  /** When a former card ended; null of the card that the member has. */
  readonly endedUnix: number | null;
  /** Whether the membership includes access on game days, is paid, and has an entry left. Its expiry is not compared. */
  readonly isAdmitted: boolean;
  readonly position: CardPosition;
}

/** A larger chunk needs more memory and saves no read unit. */
const maxChunkSize = 1_000;

/**
 * Returns up to `limit` cards of members that gates admit, after a position; fewer only at the end of the list. A gate without a
 * connection must know the former cards of a member, too: the holder of a lost one still tries it.
 */
export async function listAdmittedCards(table: Table, listing: AdmittedListing): Promise<readonly ListedCard[]> {
  const { orgId, updatedSince, limit, after } = listing;
  if (limit <= 0) return [];
  const admits = await admissionOf(table, orgId);
  if (admits === undefined && updatedSince === undefined) return [];
  const plan = planMembers({ updatedSince });
  // A page may end between the cards of a member, so its row is read again.
  const from = after !== undefined && after.sortKey > plan.from ? after.sortKey : plan.from;
  const found: ListedCard[] = [];
  let lastKey: string | undefined;
  for (;;) {
    const size = Math.min(limit + 1 - found.length, maxChunkSize);
    const chunk: Chunk = await readChunk(table, { orgId, plan: { ...plan, from }, after: lastKey, limit: size });
    const admitted = await mapInTurn(chunk.rows, ({ member }) => admits?.(member, listing) ?? false);
    const cards = chunk.rows.flatMap((row, index) => {
      const isAdmitted = admitted[index] ?? false;
      return isAdmitted || updatedSince !== undefined ? cardsOf(row, isAdmitted, after) : [];
    });
    found.push(...(await withoutReissued(table, orgId, cards)));
    if (found.length >= limit || chunk.isLast) return found.slice(0, limit);
    lastKey = chunk.rows.at(-1)?.sortKey ?? lastKey;
  }
}

/** A former card that somebody has now is that member's card: swapped cards admit both. */
async function withoutReissued(
  table: Table,
  orgId: string,
  cards: readonly ListedCard[],
): Promise<readonly ListedCard[]> {
  const keyOf = ({ barcode }: ListedCard) => barcodeKey(orgId, barcode);
  const former = cards.filter(({ endedUnix }) => endedUnix !== null).map(keyOf);
  // Several members may have had the same card, and a batch takes each key once.
  const keys = [...new Map(former.map((key) => [key.pk, key])).values()];
  const issued = new Set((await batchGet(table, keys, { consistent: true })).map(({ pk }) => pk));
  return cards.filter((card) => card.endedUnix === null || !issued.has(keyOf(card).pk));
}

function cardsOf(
  { member, sortKey }: MemberRow,
  isAdmitted: boolean,
  after: CardPosition | undefined,
): readonly ListedCard[] {
  const { barcode, formerCards } = member;
  const own = barcode === null ? [] : [{ barcode, endedUnix: null, isAdmitted, position: { sortKey, former: 0 } }];
  const former = (formerCards ?? []).map(({ barcode, untilUnix: endedUnix }, index) => ({
    barcode,
    endedUnix,
    isAdmitted: false,
    position: { sortKey, former: index + 1 },
  }));
  return [...own, ...former]
    .filter(({ position }) => after?.sortKey !== sortKey || position.former > after.former)
    .map((card) => ({ member, ...card }));
}

const paidStatuses: readonly number[] = [1, 2];

type Admits = (member: MemberRecord, listing: AdmittedListing) => boolean | Promise<boolean>;

/** Decides by type, category, arrears and entries as a gate does when the event starts; undefined if no membership includes access on game days. */
async function admissionOf(table: Table, orgId: string): Promise<Admits | undefined> {
  const { types, categories } = await readMembershipConfig(table, orgId);
  const giving = (records: Iterable<{ readonly gameDayAccess: number }>): boolean =>
    [...records].some(({ gameDayAccess }) => gameDayAccess === 1);
  if (!giving(types.values()) && !giving(categories.values())) return undefined;
  return async ({ memberId, statusId, typeId, categoryId, overdueSinceUnix }, { event }) => {
    const type = typeId === null ? undefined : types.get(typeId);
    const isAdmitted =
      paidStatuses.includes(statusId) &&
      !isOverdue(overdueSinceUnix, type?.graceDays ?? 0, event.startUnix) &&
      (type?.gameDayAccess === 1 || (categoryId !== null && categories.get(categoryId)?.gameDayAccess === 1));
    const maxEntries = type?.maxEntries ?? null;
    if (!isAdmitted || maxEntries === null) return isAdmitted;
    const { eventId, startUnix: atUnix } = event;
    return (await readEntries(table, { orgId, memberId, eventId, atUnix, maxEntries })).isLeft;
  };
}

/** How many members are looked up at the same time. */
const concurrency = 32;

async function mapInTurn<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += concurrency) {
    results.push(...(await Promise.all(items.slice(start, start + concurrency).map(map))));
  }
  return results;
}
