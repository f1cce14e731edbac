import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { personAddress } from '../../domain/customers/person-address.ts';
import { idText } from '../../domain/ids.ts';
import { entryStatuses, keptSeconds, type QueuedWish, type WaitingEntry } from '../../domain/waiting-list/entry.ts';
import {
  type ItemKey,
  waitingEntryKey,
  waitingListPartition,
  waitingPersonPartition,
  waitingQueueKey,
} from '../table/keys.ts';
import type { PersonHash } from '../table/person-hash.ts';
import { nullable, row, storedEnum, withoutNulls } from '../table/row.ts';

const StoredEntry = row({
  entryId: v.string(),
  eventId: v.number(),
  priceIndex: v.number(),
  quantity: v.number(),
  acceptLess: v.optional(v.boolean(), false),
  emailAddress: v.string(),
  userId: nullable(v.number()),
  // Nothing is offered because of a status that is unknown here.
  status: storedEnum(entryStatuses, 'passed'),
  place: v.string(),
  joinedUnix: v.number(),
  basketId: nullable(v.number()),
  offerUntilUnix: nullable(v.number()),
  offeredQuantity: nullable(v.number()),
  requestAnnouncedUnix: nullable(v.number()),
  requestedUnix: nullable(v.number()),
  version: v.number(),
});

export const parseEntry = (item: unknown): WaitingEntry => v.parse(StoredEntry, item);

/** An entry that has ended, or that nobody confirms, is deleted later; the time counts from this change. */
export function entryItem(
  orgId: string,
  entry: WaitingEntry,
  { hash, nowUnix }: { readonly hash: PersonHash; readonly nowUnix: number },
): ItemKey & Record<string, unknown> {
  const { eventId, entryId, place, emailAddress, status } = entry;
  const isInList = status === 'waiting' || status === 'offered';
  return {
    ...withoutNulls(entry),
    ...waitingEntryKey(orgId, eventId, entryId),
    by1pk: waitingListPartition(orgId, eventId),
    by1sk: place,
    by6pk: waitingPersonPartition(orgId, emailAddress, hash),
    by6sk: `${idText(eventId)}#${entryId}`,
    ...(!isInList && { ttl: nowUnix + keptSeconds }),
  };
}

const QueueRow = v.object({
  sk: v.string(),
  entryId: v.string(),
  priceIndex: v.number(),
  quantity: v.number(),
  acceptLess: v.optional(v.boolean(), false),
});

/** A place has no personal data, and never changes. */
export function queueItem(orgId: string, entry: WaitingEntry): ItemKey & Record<string, unknown> {
  const { eventId, entryId, priceIndex, quantity, acceptLess, place } = entry;
  return {
    ...waitingQueueKey(orgId, eventId, place),
    entryId,
    priceIndex,
    quantity,
    ...(acceptLess && { acceptLess }),
  };
}

export function parseQueueRow(item: unknown): QueuedWish {
  const { sk: place, ...wish } = v.parse(QueueRow, item);
  return { ...wish, place };
}

export interface OpenOffer {
  readonly basketId: number;
  readonly entryId: string;
}

const OfferRow = v.object({ basketId: v.number(), entryId: v.string() });
export const parseOfferRow = (item: unknown): OpenOffer => v.parse(OfferRow, item);

const idLength = 22;

/** The id of a person's entry for a price. It contains a hash with the stage's key, so nobody can find out whose it is. */
export function entryIdOf(
  orgId: string,
  { eventId, priceIndex, emailAddress }: Pick<WaitingEntry, 'eventId' | 'priceIndex' | 'emailAddress'>,
  hash: PersonHash,
): string {
  const parts = [orgId, eventId, priceIndex, hash.address(orgId, personAddress(emailAddress))];
  const text = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, idLength);
  return `wle_${text}`;
}

const msDigits = 14;

/** Sorts by the millisecond of joining. */
export function placeOf(entryId: string, nowMs: number): string {
  return `${String(nowMs).padStart(msDigits, '0')}#${entryId}`;
}
