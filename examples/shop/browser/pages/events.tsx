import { EventCard } from '../../../site/browser/parts/event-card.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { ClubEvent, Organisation } from '../../../site/browser/resources.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { upcomingEvents } from '../state/catalogue.ts';

/** All events that are not over. */
export function EventsPage({ organisation }: { readonly organisation: Organisation }) {
  const events = useLoaded(upcomingEvents, []);
  return (
    <Page
      hero
      title={`Be there with ${organisation.name}`}
      intro="Choose an event, and your tickets are yours in a minute."
    >
      <WhenLoaded of={events} what="the events">
        {(all) =>
          all.length === 0 ? (
            <Notice title="No events at the moment">
              <p>New events are announced here first. Come back soon.</p>
            </Notice>
          ) : (
            <ul class="events">
              {all.map((event) => (
                <EventCard key={event.event_id} event={event} to={`/events/${event.event_id}`}>
                  <Availability event={event} />
                </EventCard>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function Availability({ event }: { readonly event: ClubEvent }) {
  if (event.sold_out) return <p class="tag">Sold out</p>;
  if (event.reserved_seating && event.seat_map_id === null) return <p class="tag">Box office only</p>;
  return <p class="tag good">On sale</p>;
}
