import { type SavedEvent, wantedEvent, writeEvent } from '../data/events/save.ts';
import { readVenue } from '../data/events/venues.ts';
import { readSeatMap } from '../data/membership/config.ts';
import { derivedEventId } from '../data/table/derived-id.ts';
import type { Table } from '../data/table/table.ts';
import type { SideEffects } from '../data/table/transact.ts';
import type { TriedWrites } from '../data/table/tried-writes.ts';
import type { EventFields, EventRecord, EventStatus } from '../domain/events/event.ts';
import { statusCondition } from '../domain/events/status-change.ts';
import { fold } from '../domain/search/text.ts';
import { isSoldOrHeld } from './sold-or-held.ts';

/** What a file or a client says about an event. Its address is derived from the title if it is null. */
export interface EventValues extends Omit<EventFields, 'venueName' | 'urlString'> {
  readonly urlString: string | null;
}

export type EventRefusal =
  | { readonly reason: 'missing' | 'code_taken' | 'venue_missing' | 'seat_map_missing' | 'has_orders' }
  /** The field cannot change any more, because tickets are sold or held. */
  | { readonly reason: 'already_sold'; readonly field: 'currency' | 'timezone' | 'event_status_id' }
  | { readonly reason: 'status_conflict'; readonly from: EventStatus; readonly to: EventStatus }
  | { readonly reason: 'version_conflict'; readonly version: number };

type Saved = SavedEvent | { readonly refusal: EventRefusal };

interface SaveOptions {
  readonly tried?: TriedWrites;
  readonly sideEffects?: SideEffects<{ readonly before: EventRecord | undefined; readonly after: EventRecord }>;
  readonly dryRun?: boolean;
}

/** Creates the event with this code, or changes it: what an import does. */
export function saveEvent(
  table: Table,
  orgId: string,
  { code, ...values }: EventValues & Pick<EventRecord, 'code'>,
  options: SaveOptions = {},
): Promise<Saved> {
  const rule = (before: EventRecord | undefined) => checked(table, orgId, before, { ...values, code });
  return writeEvent(table, orgId, derivedEventId(orgId, code), { ...options, rule });
}

/** Creates the event, unless one with this code exists. */
export function createEvent(
  table: Table,
  orgId: string,
  { code, ...values }: EventValues & Pick<EventRecord, 'code'>,
  options: SaveOptions,
): Promise<Saved> {
  const rule = async (before: EventRecord | undefined) =>
    before === undefined
      ? checked(table, orgId, before, { ...values, code })
      : { refusal: { reason: 'code_taken' } as const };
  return writeEvent(table, orgId, derivedEventId(orgId, code), { ...options, rule });
}

/** Changes the given fields of an event, on the rules that protect its buyers. */
export function updateEvent(
  table: Table,
  orgId: string,
  eventId: number,
  { change, ifMatch, ...options }: SaveOptions & { change: Partial<EventValues>; ifMatch: number | undefined },
): Promise<Saved> {
  const rule = async (before: EventRecord | undefined) => {
    if (before === undefined) return { refusal: { reason: 'missing' } as const };
    if (ifMatch !== undefined && ifMatch !== before.version) {
      return { refusal: { reason: 'version_conflict', version: before.version } as const };
    }
    const refusal = await statusRefusal(table, orgId, before, change.statusId ?? before.statusId);
    return refusal ? { refusal } : checked(table, orgId, before, { ...before, ...change });
  };
  return writeEvent(table, orgId, eventId, { ...options, rule });
}

/** The record that is wanted, after the checks that apply to every way of saving an event. */
async function checked(
  table: Table,
  orgId: string,
  before: EventRecord | undefined,
  values: EventValues & Pick<EventRecord, 'code'>,
): Promise<{ readonly wanted: EventRecord } | { readonly refusal: EventRefusal }> {
  const { venueId, seatMapId, title, code } = values;
  const venue = venueId === null ? undefined : await readVenue(table, orgId, venueId);
  if (venueId !== null && venue === undefined) return { refusal: { reason: 'venue_missing' } };
  const isNewSeatMap = seatMapId !== null && seatMapId !== before?.seatMapId;
  if (isNewSeatMap && (await readSeatMap(table, orgId, seatMapId)) === undefined) {
    return { refusal: { reason: 'seat_map_missing' } };
  }
  const urlString = values.urlString ?? slugOf(title, code);
  const wanted = wantedEvent(orgId, before, { ...values, urlString, venueName: venue?.name ?? null });
  const fixed = (['currency', 'timezone'] as const).find((field) => before && before[field] !== wanted[field]);
  if (fixed !== undefined && (await isSoldOrHeld(table, orgId, wanted.eventId))) {
    return { refusal: { reason: 'already_sold', field: fixed } };
  }
  return { wanted };
}

async function statusRefusal(
  table: Table,
  orgId: string,
  { eventId, statusId: from, cancelledUnix }: EventRecord,
  to: EventStatus,
): Promise<EventRefusal | undefined> {
  const condition = statusCondition(from, to);
  // A cancelled event stays closed.
  if (condition === undefined || (cancelledUnix !== null && from !== to))
    return { reason: 'status_conflict', from, to };
  if (condition === 'none' || !(await isSoldOrHeld(table, orgId, eventId))) return undefined;
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
