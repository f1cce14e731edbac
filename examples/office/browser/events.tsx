import { EventCard } from '../../site/browser/parts/event-card.tsx';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { nowMs } from '../../site/browser/state/config.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { everyItem } from './api.ts';
import type { OfficeEvent } from './resources.ts';
import { Status } from './status.tsx';

/** Every event of the organisation: the next one first, and those that are over below. */
export function EventsPage() {
  const events = useLoaded(() => everyItem<OfficeEvent>('/v1/events'), []);
  return (
    <Page title="Events">
      <WhenLoaded of={events} what="the events">
        {(all) => {
          const isOver = ({ utc_event_start_date }: OfficeEvent) => Date.parse(utc_event_start_date) < nowMs();
          // The service lists the latest start first.
          const coming = all.filter((event) => !isOver(event)).reverse();
          const over = all.filter(isOver);
          return (
            <>
              <p>
                <Link to="/office/events/new" class="button">
                  New event
                </Link>
              </p>
              {coming.length === 0 ? <Notice title="No events ahead" /> : <EventList events={coming} />}
              {over.length > 0 && (
                <details>
                  <summary>Past events ({over.length})</summary>
                  <EventList events={over} />
                </details>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

function EventList({ events }: { readonly events: readonly OfficeEvent[] }) {
  return (
    <ul class="events">
      {events.map((event) => (
        <EventCard key={event.event_id} event={event} to={`/office/events/${event.event_id}`}>
          <Status event={event} />
        </EventCard>
      ))}
    </ul>
  );
}
