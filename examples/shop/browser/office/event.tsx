import { Link } from '../parts/link.tsx';
import { WhenLoaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import type { List } from '../resources.ts';
import { money, placeOf } from '../state/format.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { officeCall } from './api.ts';
import { Figures } from './figures.tsx';
import type { OfficeEvent, OfficePrice, PriceStats, Sales } from './resources.ts';
import { Status } from './status.tsx';

async function load(eventId: string) {
  const path = `/v1/events/${eventId}`;
  const list = async <Item,>(what: string) => (await officeCall<List<Item>>('GET', `${path}/${what}`)).data;
  const [event, prices, stats, sales] = await Promise.all([
    officeCall<OfficeEvent>('GET', path),
    list<OfficePrice>('prices'),
    list<PriceStats>('stats/prices'),
    list<Sales>('sales_summary'),
  ]);
  return { event, prices, stats, sales };
}

/** One event: how it goes, and what it sells. */
export function EventPage({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(() => load(eventId), [eventId]);
  return (
    <Page title={loaded.state === 'ready' ? loaded.value.event.title : 'Event'}>
      <WhenLoaded of={loaded} what="the event">
        {({ event, prices, stats, sales }) => (
          <>
            <p class="intro">{[event.formatted_full_event_start_date, placeOf(event)].filter(Boolean).join(' · ')}</p>
            <Status event={event} />
            {prices.length > 0 && <Figures currency={event.currency} prices={prices} stats={stats} sales={sales} />}
            <Prices event={event} prices={prices} />
            <p>
              <Link to="/office">All events</Link>
            </p>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Prices({ event, prices }: { readonly event: OfficeEvent; readonly prices: readonly OfficePrice[] }) {
  return (
    <section>
      <h2 class="above">Prices</h2>
      <ul class="lines">
        {prices.map((price) => (
          <li key={price.price_id} class="line">
            <span>
              {price.title}
              <span class="hint">
                {price.price_category_title} · {money(price.total_price, event.currency)} · {price.available} left
                {price.status === 'inactive' && ' · inactive'}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
