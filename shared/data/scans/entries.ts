import { noEventId } from '../../domain/orders/order.ts';
import { entriesInTerm, entryOf } from '../../domain/scans/entries.ts';
import { parsePassages, versionOf } from '../orders/barcode-row.ts';
import { type ItemKey, memberPassagesKey, memberPassagesPartition, passagesEventId } from '../table/keys.ts';
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

/** Whether an entry is left, and the item that every new entry changes: two gates never use the same one. */
export interface LeftEntries {
  readonly isLeft: boolean;
  /** Whether a new entry would be the last of the term. */
  readonly isLast: boolean;
  readonly item: { readonly key: ItemKey; readonly version: number };
}

/**
 * Whether a member may enter an event that counts as a new entry of its term, or was admitted to it before. The passages are what
 * was admitted, so nothing else is counted. Other events were hours ago: each read may be a second old, and costs half a unit.
 */
export async function readEntries(
  table: Table,
  { orgId, memberId, eventId, atUnix, maxEntries }: Admission,
): Promise<LeftEntries> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': memberPassagesPartition(orgId, memberId) },
  });
  const key = memberPassagesKey(orgId, memberId, noEventId);
  const counter = items.find(({ sk }) => sk === key.sk);
  const item = { key, version: counter === undefined ? 0 : versionOf(counter) };
  const entries = items.flatMap((item) => entryOf(passagesEventId(item), parsePassages(item)) ?? []);
  const known = counted(entries.length, maxEntries, item);
  if (known.isLeft || entries.some((entry) => entry.eventId === eventId)) return { ...known, isLeft: true };
  const terms = await termsOfMember(table, orgId, memberId, { consistent: false });
  return counted(entriesInTerm(entries, terms, atUnix), maxEntries, item);
}

const counted = (used: number, maxEntries: number, item: LeftEntries['item']): LeftEntries => ({
  isLeft: used < maxEntries,
  isLast: used + 1 >= maxEntries,
  item,
});
