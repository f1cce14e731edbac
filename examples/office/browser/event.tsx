import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Phase } from '../../site/browser/resources.ts';
import { money, secondOf, whenAndWhere } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { Figures } from './figures.tsx';
import { InventoryBars } from './inventory.tsx';
import { takeMessage } from './message.ts';
import type { Inventory, OfficeEvent, OfficePrice, Pool, PriceCategory, PriceStats } from './resources.ts';
import { Status } from './status.tsx';
import { StatusButtons } from './status-buttons.tsx';
import { salesOf, Timeline } from './timeline.tsx';

async function load(eventId: string) {
  const path = `/v1/events/${eventId}`;
  const list = async <Item,>(what: string) => (await officeCall<List<Item>>('GET', `${path}/${what}`)).data;
  const event = officeCall<OfficeEvent>('GET', path);
  const [shown, categories, pools, prices, stats, sales, phases, inventory] = await Promise.all([
    event,
    list<PriceCategory>('price_categories'),
    list<Pool>('pools'),
    list<OfficePrice>('prices'),
    list<PriceStats>('stats/prices'),
    event.then((one) => salesOf(one, 'per=day&periods=14')),
    list<Phase>('phases'),
    list<Inventory>('inventory'),
  ]);
  return { event: shown, categories, pools, prices, stats, sales, phases, inventory };
}

/** One event: how it goes, what it sells, and what staff can do with it. */
export function EventPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const [message, setMessage] = useState(takeMessage);
  const loaded = useLoaded(() => load(eventId), [eventId, changes]);
  return (
    <Page title={loaded.state === 'ready' ? loaded.value.event.title : 'Event'}>
      <WhenLoaded of={loaded} what="the event">
        {({ event, categories, pools, prices, stats, sales, phases, inventory }) => (
          <>
            <p class="intro">{whenAndWhere(event)}</p>
            <Status event={event} />
            {message !== undefined && (
              <Notice tone="good">
                <p>{message}</p>
              </Notice>
            )}
            <Actions
              event={event}
              onChanged={(text) => {
                setMessage(text);
                setChanges(changes + 1);
              }}
            />
            {prices.length > 0 && (
              <Figures currency={event.currency} prices={prices} stats={stats} sales={sales.data} />
            )}
            {inventory.length > 0 && <InventoryBars rows={inventory} />}
            {prices.length > 0 && <Timeline event={event} days={sales.periods} />}
            <Part title="Prices" path={`/office/events/${eventId}/prices`}>
              {prices.map((price) => (
                <Line
                  key={price.price_id}
                  to={`/office/events/${eventId}/prices/${price.price_id}`}
                  title={price.title}
                >
                  {price.price_category_title} · {money(price.total_price, event.currency)} ·{' '}
                  {price.available.toLocaleString('en')} left
                  {price.status === 'inactive' && ' · inactive'}
                </Line>
              ))}
            </Part>
            <Part
              title="Phases of the sale"
              path={`/office/events/${eventId}/phases`}
              none="None: everybody may buy as long as it is on sale. A phase is for some, such as members first."
            >
              {phases.map((phase) => (
                <Line
                  key={phase.phase_id}
                  to={`/office/events/${eventId}/phases/${phase.phase_id}`}
                  title={phase.title}
                >
                  {phase.from_unix === null
                    ? 'from the beginning'
                    : `from ${secondOf(phase.from_unix, event.timezone)}`}
                  {phase.until_unix !== null && ` until ${secondOf(phase.until_unix, event.timezone)}`}
                </Line>
              ))}
            </Part>
            <Part
              title="Pools"
              path={`/office/events/${eventId}/pools`}
              none="None: each price has places of its own. A pool is a number of places that prices share."
            >
              {pools.map((pool) => (
                <Line key={pool.pool_id} to={`/office/events/${eventId}/pools/${pool.pool_id}`} title={pool.title}>
                  {pool.available.toLocaleString('en')} of {pool.capacity.toLocaleString('en')} left
                </Line>
              ))}
            </Part>
            <Part title="Price categories" path={`/office/events/${eventId}/price_categories`}>
              {categories.map(({ price_category_id: id, title }) => (
                <Line key={id} to={`/office/events/${eventId}/price_categories/${id}`} title={title} />
              ))}
            </Part>
            <p>
              <Link to="/office">All events</Link>
            </p>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface ActionsProps {
  readonly event: OfficeEvent;
  readonly onChanged: (message: string) => void;
}

function Actions({ event, onChanged }: ActionsProps) {
  const path = `/office/events/${event.event_id}`;
  return (
    <div class="buttons">
      {!event.cancelled_unix && <StatusButtons event={event} onChanged={onChanged} />}
      {event.event_status_id === '1' && !event.cancelled_unix && (
        <Link to={`/office/counter/${event.event_id}`} class="button quiet small">
          Sell
        </Link>
      )}
      <Link to={`${path}/edit`} class="button quiet small">
        Edit
      </Link>
      <Link to={`${path}/waiting`} class="button quiet small">
        Waiting list
      </Link>
      <Link to={`${path}/held`} class="button quiet small">
        Kept for buyers
      </Link>
      <Link to={`${path}/copy`} class="button quiet small">
        Copy
      </Link>
      {event.seat_map_id !== null && (
        <Link to={`${path}/seats`} class="button quiet small">
          Seat plan
        </Link>
      )}
      {event.cancel_job_id !== null && (
        <Link to={`${path}/jobs/${event.cancel_job_id}`} class="button small">
          Progress of the cancellation
        </Link>
      )}
      {!event.cancelled_unix && event.event_status_id !== '0' && (
        <Link to={`${path}/cancel`} class="button quiet small">
          Cancel the event
        </Link>
      )}
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly path: string;
  /** What it means that there is none. */
  readonly none?: string;
  readonly children: readonly ComponentChildren[];
}

function Part({ title, path, none, children }: PartProps) {
  return (
    <section>
      <div class="part-head">
        <h2>{title}</h2>
        <Link to={`${path}/new`} class="button quiet small">
          Add <span class="visually-hidden">to {title.toLowerCase()}</span>
        </Link>
      </div>
      {children.length > 0 ? <ul class="lines">{children}</ul> : none && <p class="hint">{none}</p>}
    </section>
  );
}

interface LineProps {
  readonly to: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

function Line({ to, title, children }: LineProps) {
  return (
    <li class="line">
      <span>
        <Link to={to}>{title}</Link>
        {children !== undefined && <span class="hint">{children}</span>}
      </span>
    </li>
  );
}
