import { planMembers } from '../../domain/members/filters.ts';
import { readMembershipConfig } from '../membership/config.ts';
import type { Table } from '../table/table.ts';
import { type Chunk, type MemberRow, readChunk } from './read.ts';
import type { MemberRecord } from './row.ts';

export interface AdmittedListing {
  readonly orgId: string;
  /** Every member that changed after this second, also those that are not admitted any more. */
  readonly updatedSince: number | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

export interface AdmittedMember extends MemberRow {
  readonly barcode: string;
  /** Whether the membership includes access on game days and is paid. Its expiry is not compared. */
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
    for (const row of chunk.rows) {
      const { barcode } = row.member;
      const isAdmitted = admits(row.member);
      if (barcode !== null && (isAdmitted || updatedSince !== undefined)) found.push({ ...row, barcode, isAdmitted });
    }
    if (found.length >= limit || chunk.isLast) return found.slice(0, limit);
    after = chunk.rows.at(-1)?.sortKey ?? after;
  }
}

const paidStatuses: readonly number[] = [1, 2];

/** Decides by type and category as a gate does; undefined if no membership includes access on game days. */
async function admissionOf(table: Table, orgId: string): Promise<((member: MemberRecord) => boolean) | undefined> {
  const { types, categories } = await readMembershipConfig(table, orgId);
  const giving = (records: Iterable<{ readonly gameDayAccess: number }>): boolean =>
    [...records].some(({ gameDayAccess }) => gameDayAccess === 1);
  if (!giving(types.values()) && !giving(categories.values())) return undefined;
  return ({ statusId, typeId, categoryId }) =>
    paidStatuses.includes(statusId) &&
    ((typeId !== null && types.get(typeId)?.gameDayAccess === 1) ||
      (categoryId !== null && categories.get(categoryId)?.gameDayAccess === 1));
}
