import type { ComponentChildren } from 'preact';
import type { ClubEvent } from '../resources.ts';
import { placeOf } from '../state/format.ts';
import { Link } from './link.tsx';

interface EventCardProps {
  readonly event: ClubEvent;
  readonly to: string;
  /** Its state, as a tag. */
  readonly children: ComponentChildren;
}

/** An event in a list, with its date. */
export function EventCard({ event, to, children }: EventCardProps) {
  return (
    <li class="event">
      <div class="date" aria-hidden="true">
        <span class="date-month">{event.formatted_event_start_date_month.slice(0, 3)}</span>
        <span class="date-day">{event.formatted_event_start_date_date}</span>
        <span>{event.formatted_event_start_date_day.slice(0, 3)}</span>
      </div>
      <div class="event-text">
        <h2>
          <Link to={to}>{event.title}</Link>
        </h2>
        <p>
          {event.formatted_event_start_date_day} {event.formatted_event_start_date_date}{' '}
          {event.formatted_event_start_date_month}, {event.formatted_event_start_date_time}
          <br />
          {placeOf(event)}
        </p>
      </div>
      {children}
    </li>
  );
}
