import type { CheckedEvent, EventRefusal } from '../../../catalogue/save-event.ts';
import type { EventRecord, EventStatus } from '../../../domain/events/event.ts';
import { isCurrency } from '../../../domain/money.ts';
import { maxChangedRows } from '../../../domain/seats/other-version.ts';
import { seatList } from '../../../domain/seats/seat-map.ts';
import { hasForeignOffset, isTimezone } from '../../../domain/time/instant.ts';
import { versionConflict } from '../../if-match.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';

/** The event that was saved. Throws the problem if it was refused. */
export function unwrapSavedEvent(saved: CheckedEvent): EventRecord {
  if ('refusal' in saved) throw eventProblem(saved.refusal);
  if (saved.outcome !== 'currency_fixed') return saved.event;
  throw problem('currency_fixed', 'The event has prices, whose amounts would change with its currency.', {
    param: 'currency',
  });
}

const statusNames: Readonly<Record<EventStatus, string>> = {
  0: '0 (draft)',
  1: '1 (published)',
  2: '2 (deleted)',
  3: '3 (closed)',
};

function eventProblem(refusal: EventRefusal): Problem {
  switch (refusal.reason) {
    case 'missing':
      return notFound('event');
    case 'version_conflict':
      return versionConflict('event', refusal.version);
    case 'code_taken':
      return problem('code_taken', 'An event with this code exists. Choose another code, or change that event.', {
        param: 'code',
      });
    case 'venue_missing':
      return referenceMissing('venue', 'venue_id');
    case 'seat_map_missing':
      return referenceMissing('seat map', 'membership_seat_map_id');
    case 'seating_map_missing':
      return problem('resource_missing', 'No such seat map, or it has no seats. Check the parameter seat_map_id.', {
        param: 'seat_map_id',
      });
    case 'seating_not_reserved':
      return problem('parameter_conflict', 'The parameter seat_map_id needs reserved_seating.', {
        param: 'seat_map_id',
      });
    case 'seating_map_needed':
      return problem('parameter_missing', 'The parameter seat_map_id is required with reserved_seating.', {
        param: 'seat_map_id',
      });
    case 'seating_version_missing':
      return problem(
        'resource_missing',
        'The seat map of the event has no such version. Check the parameter seat_map_version.',
        { param: 'seat_map_version' },
      );
    case 'seats_lost':
      return problem(
        'already_sold',
        `The version does not have ${seatList(refusal.seats)}, which are sold, held or blocked. Move or refund these tickets first, or keep the seats in the map.`,
        { param: 'seat_map_version' },
      );
    case 'too_many_rows':
      return problem(
        'parameter_invalid',
        `The version changes the seats of ${refusal.rows} rows, and an event that is published can lose seats in ${maxChangedRows} rows at a time. Change it in several versions.`,
        { param: 'seat_map_version' },
      );
    case 'zone_missing':
      return problem(
        'zone_missing',
        `The active price category ${refusal.category} sells no zone of the seat map. Set its zone, or make it inactive.`,
        { param: 'event_status_id' },
      );
    case 'seats_not_ready':
      return problem(
        'seats_not_ready',
        refusal.jobId === undefined
          ? 'Members have seats on this map. Save the event as a draft (event_status_id 0), and publish it when their seats are entered, usually within two minutes.'
          : `The seats of members are not entered into the event yet. Publish it when the job ${refusal.jobId} is done, usually within two minutes.`,
        { param: 'event_status_id' },
      );
    case 'has_orders':
      return problem(
        'event_has_orders',
        'The event has orders, or tickets of it are held in baskets. Cancel it with cancel-event instead of deleting it.',
        { param: 'event_status_id' },
      );
    case 'already_sold':
      return problem(
        'already_sold',
        `Tickets of the event are sold, or held in baskets. The parameter ${refusal.field} cannot change any more.`,
        { param: refusal.field },
      );
    case 'status_conflict':
      return problem(
        'event_status_conflict',
        `An event cannot change from status ${statusNames[refusal.from]} to ${statusNames[refusal.to]}.`,
        { param: 'event_status_id' },
      );
  }
}

/** What a schema cannot say about the time zone, the currency and the start of an event. */
export function checkEventInput(
  {
    currency,
    timezone,
    utc_event_start_date: start,
  }: {
    readonly currency?: string | undefined;
    readonly timezone?: string | null | undefined;
    readonly utc_event_start_date?: string | undefined;
  },
  zone: string,
): void {
  if (timezone != null && !isTimezone(timezone)) {
    throw invalid('timezone', 'must be an IANA time zone, such as Australia/Melbourne.');
  }
  if (currency !== undefined && !isCurrency(currency)) {
    throw invalid('currency', 'must be the ISO 4217 code of a currency, such as AUD.');
  }
  if (start !== undefined && hasForeignOffset(start, zone)) {
    const message = `is not a time in ${zone}: its offset is another one then, or the clocks skip the time. Send the time in UTC, such as 2026-10-31T13:00:00Z.`;
    throw invalid('utc_event_start_date', message);
  }
}

function invalid(param: string, message: string): Problem {
  return problem('parameter_invalid', `The parameter ${param} ${message}`, { param });
}
