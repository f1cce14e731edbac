import { idText } from '../ids.ts';
import type { Metadata } from '../metadata.ts';

/** A place where events are held. Its id is the organisation's own short name for it. */
export interface VenueRecord {
  readonly venueId: string;
  readonly name: string;
  /** Incremented with each change, so two people do not overwrite each other's changes. */
  readonly version: number;
}

/** 0 draft, 1 published, 2 deleted, 3 closed. */
export type EventStatus = 0 | 1 | 2 | 3;
export const draftStatus = 0 satisfies EventStatus;
export const publishedStatus = 1 satisfies EventStatus;
export const deletedStatus = 2 satisfies EventStatus;
const closedStatus = 3 satisfies EventStatus;

/** The fields of an event that the platform team sets. */
export interface EventFields {
  readonly title: string;
  readonly venueId: string | null;
  /** A copy, so a page of events needs no second read. It is updated when the venue is renamed. */
  readonly venueName: string | null;
  readonly onlineEvent: boolean;
  readonly urlString: string;
  readonly buyTicketsUrl: string | null;
  /** The currency of all amounts of the event, which are stored in its minor units. */
  readonly currency: string;
  readonly publicEvent: boolean;
  readonly reservedSeating: boolean;
  readonly startUnix: number;
  /** The IANA name of the zone in which the event's dates and times are shown. */
  readonly timezone: string;
  readonly statusId: EventStatus;
  readonly bannerImage: string | null;
  /** The map whose members have a seat at the event. */
  readonly seatMapId: number | null;
  /** The map whose seats are sold; null without reserved seating, or if it is sold elsewhere. */
  readonly seatingMapId: number | null;
  /** The version of the map that the event keeps. */
  readonly seatingVersion: number | null;
  /** Whether a basket may leave a single seat. */
  readonly allowSingleSeats: boolean;
}

export interface EventRecord extends EventFields {
  readonly eventId: number;
  /** The organisation's own short name for the event. Imports identify the event by it. */
  readonly code: string;
  /** The event that this one is a copy of. An interrupted copy is recognised by it, and completed. */
  readonly copiedFrom?: number | undefined;
  /** Whether seats were blocked or entered for members: then the seat map stays, also in a draft. */
  readonly seatsUsed?: boolean | undefined;
  /** The job that enters the seats of members. The event is published after it is done. */
  readonly seatsJobId?: string | null | undefined;
  /** Derived from the stock, with a delay of seconds. */
  readonly soldOut: boolean;
  /** When the event was cancelled; null if it was not. A cancelled event is closed for ever, whatever an import says. */
  readonly cancelledUnix: number | null;
  /** Whether it was more than a draft when it was cancelled. Events that an earlier release has cancelled do not say it. */
  readonly wasPublished?: boolean | undefined;
  /** Absent if there is none. */
  readonly metadata?: Metadata | undefined;
  /** Incremented with each change, so concurrent changes do not overwrite each other. */
  readonly version: number;
}

/** Closes an event for ever: nothing is sold or admitted from this second on. */
export function cancelledAt(event: EventRecord, nowUnix: number): EventRecord {
  if (event.cancelledUnix !== null) return { ...event, statusId: closedStatus };
  const wasPublished = event.statusId !== draftStatus;
  return { ...event, statusId: closedStatus, cancelledUnix: nowUnix, ...(wasPublished && { wasPublished }) };
}

/** Whether everyone may know of the event: what a storefront token shows. */
export function isInCatalogue({ statusId, publicEvent }: Pick<EventRecord, 'statusId' | 'publicEvent'>): boolean {
  return statusId === publishedStatus && publicEvent;
}

/**
 * Whether everyone may see the event by its address: also one that was cancelled, so people who go there learn it. Nobody goes to a
 * draft, and cancelling it must not make it known.
 */
export function isShownToAll(event: Pick<EventRecord, 'statusId' | 'publicEvent' | 'wasPublished'>): boolean {
  return isInCatalogue(event) || (event.publicEvent && event.wasPublished === true && event.statusId === closedStatus);
}

/** Tickets of an event are sold until this long after its start, unless the price's own sale ends later. */
export const saleAfterStartSeconds = 12 * 3_600;

/** Why no ticket of an event is sold. */
export type EventOffSale = 'cancelled' | 'not_published' | 'over';

/** Returns why a price of the event cannot be sold because of the event; undefined if it can. */
export function eventOffSaleReason(
  event: Pick<EventRecord, 'statusId' | 'startUnix' | 'cancelledUnix'> | undefined,
  { availableUntilUnix: until }: { readonly availableUntilUnix: number | null },
  nowUnix: number,
): EventOffSale | undefined {
  if (event !== undefined && event.cancelledUnix !== null) return 'cancelled';
  if (event?.statusId !== publishedStatus) return 'not_published';
  const isOver = nowUnix > event.startUnix + saleAfterStartSeconds;
  return isOver && (until === null || nowUnix >= until) ? 'over' : undefined;
}

const secondDigits = 10;

/** The sort key of an event: by start, ties broken by the id. */
export function eventSortKey({ startUnix, eventId }: Pick<EventRecord, 'startUnix' | 'eventId'>): string {
  return `${String(startUnix).padStart(secondDigits, '0')}#${idText(eventId)}`;
}

/** Returns the id of the event at a sort key. */
export function eventIdAt(sortKey: string): number {
  return Number(sortKey.slice(sortKey.indexOf('#') + 1));
}
