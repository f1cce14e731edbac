import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { cardsAfter } from '../../domain/members/card.ts';
import { namedSeat } from '../../domain/members/own-seat.ts';
import { wordsAfter } from '../../domain/members/search.ts';
import { mergeMetadata, type WithMetadataChange } from '../../domain/metadata.ts';
import { commitMember, lostWithCustomer, type MemberChange } from '../members/change.ts';
import { readMember } from '../members/read.ts';
import type { MemberRecord } from '../members/row.ts';
import { getItem } from '../table/get-item.ts';
import { uniqueKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import { carried } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import type { MemberCreations } from './member-creations.ts';

/** The fields of a member that an import or the demo provides: all except the number, the id, the version, former cards and search words. Metadata is merged. */
export type MemberDraft = Omit<
  MemberRecord,
  'memberId' | 'memberNumber' | 'version' | 'formerCards' | 'cardVersion' | 'words' | 'metadata'
>;

export interface MemberSave extends WithMetadataChange {
  readonly orgId: string;
  /** Identifies the member to change or to create. */
  readonly memberNumber: string;
  readonly nowUnix: number;
  /** Given if the member is probably new: its number is not looked up before the first attempt, which saves a read. */
  readonly creations?: MemberCreations | undefined;
  /** Shared by the attempts of a caller that repeats the save after a failure. */
  readonly tried?: TriedWrites | undefined;
  /** What is written with each member that a change of the customer changes. */
  readonly moved?: SideEffects<MemberChange> | undefined;
  /**
   * Whether the number may be given to somebody who joins at this moment. A member who appears after the number was read as free is not
   * the one that the caller means, and is not changed.
   */
  readonly mayBeGiven?: boolean;
  /** Says why the change is refused, judged on the row that it replaces. It is called again after a concurrent change. */
  judge?(before: MemberRecord, after: MemberRecord): Promise<string | undefined>;
  /**
   * Returns the new fields of the member. `current` is undefined if no member has the number yet; a caller that provides only
   * some fields takes the others from it. It is called again if the member was changed concurrently.
   */
  draft(current: MemberRecord | undefined): MemberDraft;
}

export type SavedMember =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly member: MemberRecord }
  /** Another member or a ticket of the organisation has the barcode. Nothing was written. */
  | { readonly outcome: 'barcode_taken'; readonly barcode: string | null }
  /** Somebody else was given the number since it was read as free. Nothing was written. */
  | { readonly outcome: 'number_given' }
  /** The caller refuses the change. Nothing was written. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Another member has the seat. Nothing was written. */
  | { readonly outcome: 'seat_taken'; readonly seat: string };

/**
 * Creates or updates the member with this number; the number makes a repeat harmless. Row, number and barcode are written in
 * one transaction, on the condition that the member has not changed since it was read; otherwise it is read again. Saving the
 * same values again writes nothing and keeps the time of the last update.
 */
export async function saveMember(table: Table, save: MemberSave): Promise<SavedMember> {
  const { tried = new TriedWrites() } = save;
  if (save.creations !== undefined) {
    const created = await createMember(save, tried, save.creations);
    if (created !== undefined) return created;
  }
  let wasFree = false;
  return retryRaces('member', async () => {
    const before = await memberByNumber(table, save.orgId, save.memberNumber);
    const isNewcomer = before !== undefined && wasFree && save.mayBeGiven === true;
    wasFree ||= before === undefined;
    return saveCurrent(table, save, { tried, before, isNewcomer });
  });
}

interface Current {
  readonly tried: TriedWrites;
  /** The member with the number; undefined if the number is free. */
  readonly before: MemberRecord | undefined;
  /** Whether the number was free when it was read first. */
  readonly isNewcomer: boolean;
}

/** Undefined if another writer changed the member after it was read. */
async function saveCurrent(table: Table, save: MemberSave, current: Current): Promise<SavedMember | undefined> {
  const { tried, before, isNewcomer } = current;
  const after = before === undefined ? newMember(save) : updatedMember(before, save);
  if (after === before) {
    return { outcome: tried.kindOf(after.memberId, after.version) ?? 'unchanged', member: after };
  }
  if (isNewcomer) return { outcome: 'number_given' };
  const reason = before === undefined ? undefined : await save.judge?.(before, after);
  if (reason !== undefined) return { outcome: 'refused', reason };
  const outcome = before === undefined ? 'created' : 'updated';
  tried.add(after.memberId, after.version, outcome);
  const isMoved = before !== undefined && before.userId !== after.userId;
  const sideEffects = (isMoved ? save.moved : undefined) ?? noSideEffects;
  const result = await commitMember(table, save.orgId, { before, after }, sideEffects);
  if (result === 'written') return { outcome, member: after };
  if (result === 'seat_taken') return { outcome: result, seat: namedSeat(after) ?? '' };
  return result === 'barcode_taken' ? { outcome: result, barcode: after.barcode } : undefined;
}

/** Undefined if the number or the barcode is taken, or the new id. */
async function createMember(
  save: MemberSave,
  tried: TriedWrites,
  creations: MemberCreations,
): Promise<SavedMember | undefined> {
  const member = newMember(save);
  tried.add(member.memberId, member.version, 'created');
  const result = await creations.create(member);
  return result === 'written' ? { outcome: 'created', member } : undefined;
}

/** Returns the member with a number. */
export async function memberByNumber(
  table: Table,
  orgId: string,
  memberNumber: string,
): Promise<MemberRecord | undefined> {
  const item = await getItem(table, uniqueKey(orgId, 'member-number', memberNumber), { consistent: true });
  return item === undefined ? undefined : readMember(table, orgId, v.parse(Holder, item).id);
}

const Holder = v.object({ id: v.number() });

/** The id contains the second of creation, also for imports. The condition of the put checks that it is free. */
function newMember({ draft, memberNumber, metadata: change }: MemberSave): MemberRecord {
  const fields = draft(undefined);
  const metadata = mergeMetadata(undefined, change);
  const memberId = idOf(fields.createdUnix, randomInt(idsPerSecond));
  const words = wordsAfter(undefined, { ...fields, memberNumber });
  const own = { memberId, memberNumber, words, ...(metadata && { metadata }) };
  return { ...fields, formerCards: null, cardVersion: null, ...own, version: 1 };
}

/** The time of creation never changes. The time of the last update changes if any other field does. */
function updatedMember(current: MemberRecord, { draft, nowUnix, metadata: change }: MemberSave): MemberRecord {
  const { memberId, memberNumber, version, createdUnix, updatedUnix } = current;
  const metadata = mergeMetadata(current.metadata, change);
  const drafted = draft(current);
  const fields = { ...drafted, ...lostWithCustomer(current, drafted), ...cardsAfter(current, drafted, nowUnix) };
  const words = wordsAfter(current, { ...fields, memberNumber });
  const own = { memberId, memberNumber, words, version, createdUnix, updatedUnix, ...(metadata && { metadata }) };
  const same = { ...carried(current), ...fields, ...own };
  if (isSame(current, same)) return current;
  return { ...same, version: version + 1, updatedUnix: fields.updatedUnix ?? nowUnix };
}

function isSame(current: MemberRecord, other: MemberRecord): boolean {
  const fields = (member: MemberRecord): string =>
    JSON.stringify(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  return fields(current) === fields(other);
}
