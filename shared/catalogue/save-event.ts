import { type EventRule, type SavedEvent, type WantedEvent, wantedEvent, writeEvent } from '../data/events/save.ts';
import { readVenue } from '../data/events/venues.ts';
import { readSeatMap } from '../data/membership/config.ts';
import { readPriceList } from '../data/prices/read.ts';
import { derivedEventId } from '../data/table/derived-id.ts';
import type { Table } from '../data/table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem } from '../data/table/transact.ts';
import type { TriedWrites } from '../data/table/tried-writes.ts';
import {
  draftStatus,
  type EventFields,
  type EventRecord,
  type EventStatus,
  publishedStatus,
} from '../domain/events/event.ts';
import { statusCondition } from '../domain/events/status-change.ts';
import { mergeMetadata, type WithMetadataChange } from '../domain/metadata.ts';
import { fold } from '../domain/search/text.ts';
import { seatVersionItems, type VersionRefusal } from './seat-version.ts';
import { publishedTooEarly, type SeatsNotReady, seatsJobPuts, withSeatsJob } from './seats-job.ts';
import { isSoldOrHeld } from './sold-or-held.ts';

/** What a file or a client says about an event. Its address is derived from the title if it is null. */
export interface EventValues
  extends Omit<EventFields, 'venueName' | 'urlString' | 'seatingVersion'>,
    WithMetadataChange {
  readonly urlString: string | null;
  /** Another version of the map than the event has; the latest of a new map if it is absent. */
  readonly wantedVersion?: number | undefined;
}

export type EventRefusal =
  | { readonly reason: 'missing' | 'code_taken' | 'venue_missing' | 'seat_map_missing' | 'has_orders' }
  /** The map does not exist or has no seats; or the event has no reserved seating. */
  | { readonly reason: 'seating_map_missing' | 'seating_not_reserved' | 'seating_map_needed' }
  /** An active price category sells no zone of the map; or why the event cannot have another version of it. */
  | VersionRefusal
  /** The field cannot change any more, because tickets are sold or held. */
  | { readonly reason: 'already_sold'; readonly field: 'currency' | 'timezone' | 'event_status_id' | 'seat_map_id' }
  | SeatsNotReady
  | { readonly reason: 'status_conflict'; readonly from: EventStatus; readonly to: EventStatus }
  | { readonly reason: 'version_conflict'; readonly version: number };

/** The event that was saved, or why it was not. */
export type CheckedEvent = SavedEvent | { readonly refusal: EventRefusal };

interface SaveOptions {
  readonly nowUnix: number;
  readonly tried?: TriedWrites;
  readonly sideEffects?: SideEffects<{ readonly before: EventRecord | undefined; readonly after: EventRecord }>;
  readonly dryRun?: boolean;
}

/** Creates the event with this code, or changes it: what an import does. */
export function saveEvent(
  table: Table,
  orgId: string,
  { code, ...values }: EventValues & Pick<EventRecord, 'code'>,
  options: SaveOptions,
): Promise<CheckedEvent> {
  const rule = (before: EventRecord | undefined) => checked(table, orgId, before, { ...values, code });
  return write(table, orgId, derivedEventId(orgId, code), { ...options, rule });
}

/** Creates the event, unless one with this code exists. */
export function createEvent(
  table: Table,
  orgId: string,
  { code, ...values }: EventValues & Pick<EventRecord, 'code'>,
  options: SaveOptions,
): Promise<CheckedEvent> {
  const rule = async (before: EventRecord | undefined) =>
    before === undefined
      ? (withSeats(undefined, values) ?? checked(table, orgId, before, { ...values, code }))
      : { refusal: { reason: 'code_taken' } as const };
  return write(table, orgId, derivedEventId(orgId, code), { ...options, rule });
}

/** Changes the given fields of an event, on the rules that protect its buyers. */
export function updateEvent(
  table: Table,
  orgId: string,
  eventId: number,
  { change, ifMatch, ...options }: SaveOptions & { change: Partial<EventValues>; ifMatch: number | undefined },
): Promise<CheckedEvent> {
  const rule = async (before: EventRecord | undefined) => {
    if (before === undefined) return { refusal: { reason: 'missing' } as const };
    if (ifMatch !== undefined && ifMatch !== before.version) {
      return { refusal: { reason: 'version_conflict', version: before.version } as const };
    }
    const refusal = await statusRefusal(table, orgId, before, change.statusId ?? before.statusId);
    if (refusal) return { refusal };
    return withSeats(before, { ...before, ...change }) ?? checked(table, orgId, before, { ...before, ...change });
  };
  return write(table, orgId, eventId, { ...options, rule });
}

type Seated = Pick<EventRecord, 'reservedSeating' | 'seatingMapId'>;
const lacksMap = ({ reservedSeating, seatingMapId }: Seated): boolean => reservedSeating && seatingMapId === null;

/** Only an import makes an event whose seats are sold elsewhere. Such an event can be changed, as long as it stays one. */
function withSeats(before: Seated | undefined, after: Seated): { readonly refusal: EventRefusal } | undefined {
  const isNew = lacksMap(after) && (before === undefined || !lacksMap(before));
  return isNew ? { refusal: { reason: 'seating_map_needed' } } : undefined;
}

/** Writes the event, and the job for the seats of its members. */
function write(
  table: Table,
  orgId: string,
  eventId: number,
  { nowUnix, sideEffects = noSideEffects, ...options }: SaveOptions & { readonly rule: EventRule<EventRefusal> },
): Promise<CheckedEvent> {
  return writeEvent(table, orgId, eventId, {
    ...options,
    sideEffects: (change) => [...sideEffects(change), ...seatsJobPuts(table, orgId, change, nowUnix)],
  });
}

/** The record that is wanted, after the checks that apply to every way of saving an event. */
async function checked(
  table: Table,
  orgId: string,
  before: EventRecord | undefined,
  values: EventValues & Pick<EventRecord, 'code'>,
): Promise<WantedEvent | { readonly refusal: EventRefusal }> {
  const { venueId, seatMapId, title, code } = values;
  const venue = venueId === null ? undefined : await readVenue(table, orgId, venueId);
  if (venueId !== null && venue === undefined) return { refusal: { reason: 'venue_missing' } };
  const isNewSeatMap = seatMapId !== null && seatMapId !== before?.seatMapId;
  if (isNewSeatMap && (await readSeatMap(table, orgId, seatMapId)) === undefined) {
    return { refusal: { reason: 'seat_map_missing' } };
  }
  const seating = await checkedSeating(table, orgId, before, values);
  if ('refusal' in seating) return seating;
  const urlString = values.urlString ?? slugOf(title, code);
  const { wantedVersion: _, ...fields } = values;
  const { seatingVersion, items } = seating;
  const wanted = wantedEvent(orgId, before, {
    ...fields,
    seatingVersion,
    urlString,
    venueName: venue?.name ?? null,
    metadata: mergeMetadata(before?.metadata, fields.metadata),
  });
  const fixed = (['currency', 'timezone'] as const).find((field) => before && before[field] !== wanted[field]);
  if (fixed !== undefined && (await isSoldOrHeld(table, orgId, before ?? wanted))) {
    return { refusal: { reason: 'already_sold', field: fixed } };
  }
  const withJob = await withSeatsJob(table, orgId, before, wanted);
  const refusal = await publishedTooEarly(table, orgId, before, withJob);
  return refusal ? { refusal } : { wanted: withJob, items };
}

/** The version of the seats, and what is written with it. */
interface Seating extends Pick<EventRecord, 'seatingVersion'> {
  readonly items: readonly TransactItem[];
}

/** The version of the seats that the event keeps. It changes only while nobody can have a seat. */
async function checkedSeating(
  table: Table,
  orgId: string,
  before: EventRecord | undefined,
  { seatingMapId, reservedSeating, statusId, wantedVersion }: EventValues,
): Promise<Seating | { readonly refusal: EventRefusal }> {
  if (seatingMapId !== null && !reservedSeating) return { refusal: { reason: 'seating_not_reserved' } };
  const isSame = before !== undefined && before.seatingMapId === seatingMapId;
  if (isSame) {
    const category = statusId === publishedStatus ? await categoryWithoutZone(table, orgId, before) : undefined;
    if (category !== undefined) return { refusal: { reason: 'zone_missing', category } };
    return otherVersion(table, orgId, before, wantedVersion);
  }
  const first = await firstVersion(table, orgId, seatingMapId, wantedVersion);
  if ('refusal' in first) return first;
  const isFixed =
    before !== undefined &&
    (before.statusId !== draftStatus || before.seatsUsed || (await isSoldOrHeld(table, orgId, before)));
  if (isFixed) return { refusal: { reason: 'already_sold', field: 'seat_map_id' } };
  return first;
}

/** The version of a map that the event did not have before. */
async function firstVersion(
  table: Table,
  orgId: string,
  seatingMapId: number | null,
  wanted: number | undefined,
): Promise<Seating | { readonly refusal: EventRefusal }> {
  if (seatingMapId === null) return { seatingVersion: null, items: [] };
  const map = await readSeatMap(table, orgId, seatingMapId);
  if (map === undefined || map.mapVersion === 0) return { refusal: { reason: 'seating_map_missing' } };
  if (wanted !== undefined && wanted > map.mapVersion) return { refusal: { reason: 'seating_version_missing' } };
  return { seatingVersion: wanted ?? map.mapVersion, items: [] };
}

/** The event in another version of its map, which keeps every seat that somebody has. */
async function otherVersion(
  table: Table,
  orgId: string,
  event: EventRecord,
  wanted: number | undefined,
): Promise<Seating | { readonly refusal: EventRefusal }> {
  const { seatingMapId, seatingVersion } = event;
  if (wanted === undefined || wanted === seatingVersion) return { seatingVersion, items: [] };
  if (seatingMapId === null || seatingVersion === null) return { refusal: { reason: 'seating_version_missing' } };
  const planned = await seatVersionItems(table, orgId, { ...event, seatingMapId, seatingVersion }, wanted);
  return 'refusal' in planned ? planned : { seatingVersion: wanted, items: planned.items };
}

/** An event that is published sells seats in every active category, or its prices could not be sold. */
async function categoryWithoutZone(table: Table, orgId: string, event: EventRecord): Promise<string | undefined> {
  if (event.seatingMapId === null || event.statusId === publishedStatus) return undefined;
  const { categories } = await readPriceList(table, orgId, event.eventId, { consistent: true });
  return [...categories.values()].find(({ status, zone }) => status === 'active' && zone === null)?.title;
}

async function statusRefusal(
  table: Table,
  orgId: string,
  event: EventRecord,
  to: EventStatus,
): Promise<EventRefusal | undefined> {
  const { statusId: from, cancelledUnix } = event;
  const condition = statusCondition(from, to);
  // A cancelled event stays closed.
  if (condition === undefined || (cancelledUnix !== null && from !== to))
    return { reason: 'status_conflict', from, to };
  if (condition === 'none' || !(await isSoldOrHeld(table, orgId, event))) return undefined;
  return to === 2 ? { reason: 'has_orders' } : { reason: 'already_sold', field: 'event_status_id' };
}

/** `harbour-fc-v-sao-paulo` for `Harbour FC v. São Paulo`; the code if the title has no Latin letters. */
export function slugOf(title: string, code: string): string {
  const slug = (text: string): string =>
    fold(text)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 100);
  return slug(title) || slug(code) || 'event';
}
