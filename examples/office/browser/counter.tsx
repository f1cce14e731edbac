import { EventCard } from '../../site/browser/parts/event-card.tsx';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List } from '../../site/browser/resources.ts';
import { nowMs } from '../../site/browser/state/config.ts';
import { whenAndWhere } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { everyItem, officeCall } from './api.ts';
import { CounterSale } from './counter-sale.tsx';
import { houseOf } from './house.ts';
import type { OfficeEvent, OfficePrice } from './resources.ts';

/** The counter: first an event, then its tickets. */
export function CounterPage({ eventId }: { readonly eventId: string }) {
  return eventId === '' ? <ChooseEvent /> : <SellTickets eventId={eventId} />;
}

/** How long after its start an event is still sold at the counter. */
const lateMs = 12 * 3_600_000;

function ChooseEvent() {
  const events = useLoaded(() => everyItem<OfficeEvent>('/v1/events'), []);
  return (
    <Page title="Counter">
      <p>
        <Link to="/office/counter/takings" class="button quiet">
          End of the shift
        </Link>
      </p>
      <WhenLoaded of={events} what="the events">
        {(all) => {
          const isSold = ({ event_status_id, cancelled_unix, utc_event_start_date }: OfficeEvent) =>
            event_status_id === '1' && !cancelled_unix && Date.parse(utc_event_start_date) > nowMs() - lateMs;
          const onSale = all.filter(isSold).reverse();
          return onSale.length === 0 ? (
            <Notice title="No event is on sale" />
          ) : (
            <ul class="events">
              {onSale.map((event) => (
                <EventCard key={event.event_id} event={event} to={`/office/counter/${event.event_id}`}>
                  {event.sold_out && <p class="tag">Sold out</p>}
                </EventCard>
              ))}
            </ul>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

async function load(eventId: string) {
  const path = `/v1/events/${eventId}`;
  const [event, { data }] = await Promise.all([
    officeCall<OfficeEvent>('GET', path),
    officeCall<List<OfficePrice>>('GET', `${path}/prices`),
  ]);
  // A price for members needs a member, whom the counter does not ask for.
  const prices = data.filter(
    ({ show_boxoffice, status, membership_type_name }) =>
      show_boxoffice && status === 'active' && membership_type_name === null,
  );
  return { event, prices, house: event.seat_map_id === null ? undefined : await houseOf(event) };
}

function SellTickets({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(() => load(eventId), [eventId]);
  const title = loaded.state === 'ready' ? `Sell: ${loaded.value.event.title}` : 'Sell';
  return (
    <Page title={title} hasOwnFocus={loaded.state === 'ready' && loaded.value.prices.length > 0}>
      <WhenLoaded of={loaded} what="the prices">
        {({ event, prices, house }) => (
          <>
            <p class="intro">{whenAndWhere(event)}</p>
            {prices.length === 0 ? (
              <Notice title="The counter sells nothing of this event" />
            ) : (
              <CounterSale event={event} prices={prices} house={house} />
            )}
          </>
        )}
      </WhenLoaded>
      <p>
        <Link to="/office/counter">Another event</Link>
      </p>
    </Page>
  );
}
