import { EventCard } from '../../../site/browser/parts/event-card.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { ClubEvent } from '../../../site/browser/resources.ts';
import { config } from '../../../site/browser/state/config.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { defaultWelcome, welcomeTo } from '../parts/frame.ts';
import { sales, upcomingEvents } from '../state/catalogue.ts';
import { fromDay } from '../state/format.ts';
import { organisation } from '../state/organisation.ts';
import type { Sale } from '../state/sale.ts';
import { session } from '../state/session.ts';

/** All events that are not over. */
export function EventsPage() {
  const events = useLoaded(() => Promise.all([upcomingEvents(), sales()]), []);
  return (
    <Page hero title={welcomeTo(organisation().name)} intro={config().welcome ?? defaultWelcome}>
      <WhenLoaded of={events} what="the events">
        {([all, ofEvents]) =>
          all.length === 0 ? (
            <Notice title="No events at the moment" text="New events are announced here first. Come back soon." />
          ) : (
            <ul class="events">
              {all.map((event) => (
                <EventCard key={event.event_id} event={event} to={`/events/${event.event_id}`}>
                  <Availability event={event} sale={ofEvents[event.event_id]} />
                </EventCard>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

interface AvailabilityProps {
  readonly event: ClubEvent;
  /** Unknown if the shop's server could not ask: then nothing is claimed. */
  readonly sale: Sale | undefined;
}

function Availability({ event, sale }: AvailabilityProps) {
  if (event.sold_out) return <p class="tag">{event.reserved_seating ? 'Sold out' : 'Sold out: waiting list'}</p>;
  if (event.reserved_seating && event.seat_map_id === null) return <p class="tag">Box office only</p>;
  if (sale === undefined) return null;
  if (sale.from_unix !== null) return <p class="tag">{fromDay(sale.from_unix, event.timezone)}</p>;
  if (sale.to === 'everyone') return <p class="tag good">On sale</p>;
  const isGuest = sale.to === 'membership' && session().fan === undefined;
  return <p class="tag">{isGuest ? 'Members only: sign in or join' : restricted[sale.to ?? 'nobody']}</p>;
}

const restricted = {
  membership: 'Members only',
  code: 'With a code',
  attribute: 'For some fans: sign in',
  nobody: 'Not on sale',
} as const;
