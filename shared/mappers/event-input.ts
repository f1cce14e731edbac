import type { EventValues } from '../catalogue/save-event.ts';
import type { EventStatus } from '../domain/events/event.ts';
import { given } from '../domain/given.ts';
import { unixOf } from '../domain/time/instant.ts';
import type { CreateEventBody } from '../operations/catalogue/create-event.ts';
import type { UpdateEventBody } from '../operations/catalogue/update-event.ts';

const statuses: Readonly<Record<string, EventStatus>> = { '0': 0, '1': 1, '2': 2, '3': 3 };

/** Contains only the given fields. An absent field keeps its value. */
export function eventChange(body: UpdateEventBody): Partial<EventValues> {
  const { utc_event_start_date: start, event_status_id: status } = body;
  return given({
    title: body.title,
    venueId: body.venue_id,
    onlineEvent: body.online_event,
    urlString: body.url_string,
    buyTicketsUrl: body.buy_tickets_url,
    currency: body.currency,
    publicEvent: body.public_event,
    reservedSeating: body.reserved_seating,
    startUnix: start === undefined ? undefined : unixOf(start),
    timezone: body.timezone,
    statusId: status === undefined ? undefined : statuses[status],
    bannerImage: body.banner_image,
    seatMapId: body.membership_seat_map_id,
    seatingMapId: body.seat_map_id,
    wantedVersion: body.seat_map_version,
    allowSingleSeats: body.allow_single_seats,
    metadata: body.metadata,
  });
}

export function newEventValues(body: CreateEventBody, timezone: string): EventValues {
  return {
    title: body.title,
    venueId: body.venue_id,
    onlineEvent: body.online_event,
    urlString: body.url_string,
    buyTicketsUrl: body.buy_tickets_url,
    currency: body.currency,
    publicEvent: body.public_event,
    reservedSeating: body.reserved_seating,
    startUnix: unixOf(body.utc_event_start_date),
    timezone,
    statusId: statuses[body.event_status_id] ?? 0,
    bannerImage: body.banner_image,
    seatMapId: body.membership_seat_map_id,
    seatingMapId: body.seat_map_id,
    allowSingleSeats: body.allow_single_seats,
    metadata: body.metadata,
  };
}
