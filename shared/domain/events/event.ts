import { idText } from '../ids.ts';

/** Where events take place. Its id is the organisation's own short name for it. */
export interface VenueRecord {
  readonly venueId: string;
  readonly name: string;
}

/** 0 draft, 1 published, 2 deleted, 3 closed. */
export type EventStatus = 0 | 1 | 2 | 3;
export const publishedStatus = 1 satisfies EventStatus;
export const deletedStatus = 2 satisfies EventStatus;

/** What the platform team says about an event. */
export interface EventFields {
  readonly title: string;
  readonly venueId: string | null;
  /** Carried, so that a page of events needs no second read; rewritten when the venue is renamed. */
  readonly venueName: string | null;
  readonly onlineEvent: boolean;
  readonly urlString: string;
  readonly buyTicketsUrl: string | null;
  /** Of every amount of the event; amounts are kept in its minor units. */
  readonly currency: string;
  readonly publicEvent: boolean;
  readonly reservedSeating: boolean;
  readonly startUnix: number;
  /** IANA name, in which dates and times of the event are shown. */
  readonly timezone: string;
  readonly statusId: EventStatus;
  readonly bannerImage: string | null;
  readonly seatMapId: number | null;
}

export interface EventRecord extends EventFields {
  readonly eventId: number;
  /** The organisation's own short name for the event, and the key of imports. */
  readonly code: string;
  /** Follows the stock within seconds. */
  readonly soldOut: boolean;
  /** Goes up with each change, so that two changes at once cannot lose one of them. */
  readonly version: number;
}

const secondDigits = 10;

/** Where an event stands in the order of starts, the id breaking ties. Sorting these texts is the order itself. */
export function eventSortKey({ startUnix, eventId }: Pick<EventRecord, 'startUnix' | 'eventId'>): string {
  return `${String(startUnix).padStart(secondDigits, '0')}#${idText(eventId)}`;
}
