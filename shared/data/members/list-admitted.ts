import { planMembers } from '../../domain/members/filters.ts';
import { isOverdue } from '../../domain/scans/member-subject.ts';
import { readMembershipConfig } from '../membership/config.ts';
import { readEntries } from '../scans/entries.ts';
import type { Table } from '../table/table.ts';
import { type Chunk, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface AdmittedListing {
  readonly orgId: string;
  /** Every member that changed after this second, also those that are not admitted any more. */
  readonly updatedSince: number | undefined;
  readonly after: string | undefined;
  readonly limit: number;
  readonly event: AdmittingEvent;
}

/** A term of some types admits to a number of events only. */
export interface AdmittingEvent {
  readonly eventId: number;
  readonly startUnix: number;
}

export interface AdmittedMember extends MemberRow {
  readonly barcode: string;
  /** Whether the membership includes access on game days, is paid, and has an entry left. Its expiry is not compared. */
  readonly isAdmitted: boolean;
}

/** A larger chunk needs more memory and saves no read unit. */
const maxChunkSize = 1_000;

/** Returns up to `limit` members with a barcode that gates admit, after a sort key; fewer only at the end of the list. */
export async function listAdmittedMembers(table: Table, listing: AdmittedListing): Promise<readonly AdmittedMember[]> {
  const { orgId, updatedSince, limit } = listing;
  if (limit <= 0) return [];
  const admits = await admissionOf(table, orgId);
  if (admits === undefined) return [];
  const plan = planMembers({ updatedSince });
  const found: AdmittedMember[] = [];
  let { after } = listing;
  for (;;) {
    const size = Math.min(limit - found.length, maxChunkSize);
    const chunk: Chunk = await readChunk(table, { orgId, plan, after, limit: size });
    const admitted = await mapInTurn(chunk.rows, ({ member }) => admits(member, listing));
    for (const [index, row] of chunk.rows.entries()) {
      const { barcode } = row.member;
      const isAdmitted = admitted[index] ?? false;
      if (barcode !== null && (isAdmitted || updatedSince !== undefined)) found.push({ ...row, barcode, isAdmitted });
    }
    if (found.length >= limit || chunk.isLast) return found.slice(0, limit);
    after = chunk.rows.at(-1)?.sortKey ?? after;
  }
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
