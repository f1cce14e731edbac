import { entriesInTerm, entryOf } from '../../domain/scans/entries.ts';
import { parsePassages } from '../orders/ticket-row.ts';
import { memberPassagesPartition, passagesEventId } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { termsOfMember } from '../terms/terms.ts';

interface Admission {
  readonly orgId: string;
  readonly memberId: number;
  readonly eventId: number;
  /** When the member wants to enter. */
  readonly atUnix: number;
  /** How many events a term admits to. */
  readonly maxEntries: number;
}

/**
 * Whether a member may enter an event that counts as a new entry of its term, or was admitted to it before. The passages are what
 * was admitted, so nothing else is counted. Other events were hours ago: each read may be a second old, and costs half a unit.
 */
export async function hasEntryLeft(
  table: Table,
  { orgId, memberId, eventId, atUnix, maxEntries }: Admission,
): Promise<boolean> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': memberPassagesPartition(orgId, memberId) },
  });
  const entries = items.flatMap((item) => entryOf(passagesEventId(item), parsePassages(item)) ?? []);
  if (entries.length < maxEntries || entries.some((entry) => entry.eventId === eventId)) return true;
  const terms = await termsOfMember(table, orgId, memberId, { consistent: false });
  return entriesInTerm(entries, terms, atUnix) < maxEntries;
}
