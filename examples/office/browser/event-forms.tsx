import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { nowMs } from '../../site/browser/state/config.ts';
import { money, tickets } from '../../site/browser/state/format.ts';
import { navigate } from '../../site/browser/state/router.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { code, type Field, type Values } from './fields.ts';
import { Form } from './form.tsx';
import { leaveMessage } from './message.ts';
import type { Job, OfficeEvent, Sales, SalesSummary, SeatMapSummary, Venue } from './resources.ts';
import { salesOf } from './timeline.tsx';

const title: Field = { name: 'title', label: 'Title', kind: 'text', required: true };
const start: Field = {
  name: 'utc_event_start_date',
  label: 'Start',
  kind: 'iso',
  required: true,
  hint: 'On the clocks of the event.',
};

interface Places {
  readonly venues: readonly Venue[];
  readonly seatMaps: readonly SeatMapSummary[];
}

function eventFields({ venues, seatMaps }: Places): readonly Field[] {
  const choices = venues.map(({ venue_id, venue_name }) => ({ value: venue_id, title: venue_name }));
  const maps = seatMaps.map(({ seat_map_id, title, seats }) => ({ value: seat_map_id, title, seats }));
  return [
    title,
    start,
    { name: 'timezone', label: 'Time zone', kind: 'text', required: true, hint: 'Such as Australia/Melbourne.' },
    { name: 'venue_id', label: 'Venue', kind: 'choice', choices: [{ value: null, title: 'None' }, ...choices] },
    {
      name: 'seat_map_id',
      label: 'Seats',
      kind: 'choice',
      choices: [{ value: null, title: 'Without numbers' }, ...maps.filter(({ seats }) => seats > 0)],
      hint: 'Only a draft without sales can change it.',
    },
    { name: 'online_event', label: 'Online, without a venue', kind: 'yes' },
    { name: 'currency', label: 'Currency', kind: 'text', required: true, hint: 'Such as AUD.' },
    { name: 'public_event', label: 'Listed publicly', kind: 'yes' },
    { name: 'banner_image', label: 'Address of the banner image', kind: 'text' },
    { name: 'buy_tickets_url', label: 'Address of the page that sells it', kind: 'text', isRare: true },
    {
      name: 'url_string',
      label: 'Name in addresses',
      kind: 'text',
      isRare: true,
      hint: 'Such as grand-final-2027. Empty: made from the title.',
    },
    {
      name: 'membership_seat_map_id',
      label: 'Seats of members',
      kind: 'choice',
      isRare: true,
      choices: [{ value: null, title: 'None' }, ...maps],
      hint: 'The plan whose members have a seat.',
    },
  ];
}

/** An event with a plan of seats sells them by their numbers. */
const withSeats = (changed: Values): Values =>
  'seat_map_id' in changed ? { ...changed, reserved_seating: changed.seat_map_id !== null } : changed;

const pathOf = (eventId: string): string => `/v1/events/${eventId}`;

/** Leads back to the page of an event, with a message. */
export function showEvent(eventId: string, message: string): void {
  leaveMessage(message);
  navigate(`/office/events/${eventId}`);
}

async function places(): Promise<Places> {
  const [venues, seatMaps] = await Promise.all([
    officeCall<List<Venue>>('GET', '/v1/venues'),
    officeCall<List<SeatMapSummary>>('GET', '/v1/seat_maps'),
  ]);
  return { venues: venues.data, seatMaps: seatMaps.data };
}

const event = (eventId: string) => officeCall<OfficeEvent>('GET', pathOf(eventId));

/** A club sells in one currency: that of its latest event. */
async function lastCurrency(): Promise<string | undefined> {
  return (await officeCall<List<OfficeEvent>>('GET', '/v1/events?limit=1')).data[0]?.currency;
}

export function NewEventPage({ organisation }: { readonly organisation: Organisation }) {
  const loaded = useLoaded(() => Promise.all([places(), lastCurrency()]), []);
  return (
    <Page title="New event" intro="It begins as a draft: nobody sees it before you publish it.">
      <WhenLoaded of={loaded} what="the venues">
        {([known, currency]) => (
          <Form<OfficeEvent>
            fields={[...eventFields(known), code]}
            shape={withSeats}
            method="POST"
            path="/v1/events"
            values={{ timezone: organisation.timezone, currency, public_event: true }}
            timezone={organisation.timezone}
            button="Create the event"
            onSaved={(saved) =>
              saved && showEvent(saved.event_id, 'Created, as a draft. Add its prices, and publish it.')
            }
          />
        )}
      </WhenLoaded>
    </Page>
  );
}

export function EditEventPage({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(() => Promise.all([event(eventId), places()]), [eventId]);
  return (
    <Page title="Edit the event" intro="Tickets that are sold stay valid when an event moves.">
      <WhenLoaded of={loaded} what="the event">
        {([shown, known]) => (
          <Form<OfficeEvent>
            fields={eventFields(known)}
            shape={withSeats}
            method="PATCH"
            path={pathOf(eventId)}
            values={{ ...shown }}
            reload={async () => ({ ...(await event(eventId)) })}
            timezone={shown.timezone}
            button="Save"
            onSaved={(saved) => showEvent(eventId, saved ? 'Saved.' : 'Nothing was changed.')}
          />
        )}
      </WhenLoaded>
    </Page>
  );
}

const weekMs = 7 * 86_400_000;

export function CopyEventPage({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(() => event(eventId), [eventId]);
  return (
    <Page
      title="Copy the event"
      intro="Categories, pools and prices come along, with their sale windows moved. The copy is a draft."
    >
      <WhenLoaded of={loaded} what="the event">
        {(shown) => {
          const later = Math.max(Date.parse(shown.utc_event_start_date), nowMs()) + weekMs;
          return (
            <Form<OfficeEvent>
              fields={[title, start, code]}
              method="POST"
              path={`${pathOf(eventId)}/copy`}
              values={{ title: shown.title, utc_event_start_date: new Date(later).toISOString() }}
              timezone={shown.timezone}
              button="Make a copy"
              onSaved={(saved) => saved && showEvent(saved.event_id, 'Copied, as a draft.')}
            />
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

const cancelFields: readonly Field[] = [
  {
    name: 'refund',
    label: 'Money',
    kind: 'choice',
    choices: [
      { value: 'all', title: 'Refund every order' },
      { value: 'none', title: 'Refund nothing now' },
    ],
  },
  { name: 'reason', label: 'Reason', kind: 'text', required: true, hint: 'Buyers may read it, so name no person.' },
];

/** What the cancellation ends, and what goes back to the buyers. */
function lossOf({ data, confirmed_orders: orders }: SalesSummary, currency: string) {
  const sum = (value: (sales: Sales) => number): number => data.reduce((total, one) => total + value(one), 0);
  const what = orders === 1 ? '1 order' : `${orders.toLocaleString('en')} orders`;
  return {
    what: `${what} with ${tickets(sum((one) => one.tickets))}`,
    amount: money(
      sum((one) => one.gross_sales),
      currency,
    ),
  };
}

export function CancelEventPage({ eventId }: { readonly eventId: string }) {
  const loaded = useLoaded(async () => {
    const shown = await event(eventId);
    return { shown, ...lossOf(await salesOf(shown, 'per=day&periods=1'), shown.currency) };
  }, [eventId]);
  return (
    <Page title={loaded.state === 'ready' ? `Cancel ${loaded.value.shown.title}` : 'Cancel the event'}>
      <WhenLoaded of={loaded} what="the event">
        {({ shown, what, amount }) => (
          <>
            <Notice tone="warning" title={`${what}: ${amount}`}>
              <p>
                All of them end. If you refund every order, the buyers get back the {amount} that their tickets cost,
                and the fee of each order beside it. They get back less where an invoice is not paid yet, and more where
                a ticket was cancelled without a refund before: that money goes back too. What was paid in cash or at a
                terminal you hand over yourselves: the next page lists it.
              </p>
            </Notice>
            <Form<Job>
              fields={cancelFields}
              method="POST"
              path={`${pathOf(eventId)}/cancel`}
              values={{ refund: 'all' }}
              timezone={shown.timezone}
              button="Cancel this event"
              danger
              onSaved={(job) => job && navigate(`/office/events/${eventId}/jobs/${job.job_id}`, { replace: true })}
            >
              <label class="choice">
                <input type="checkbox" required />
                <span>
                  {shown.title}, {shown.formatted_full_event_start_date}, will not take place.
                  <span class="hint">Nothing is sold or admitted from now on. This cannot be undone.</span>
                </span>
              </label>
            </Form>
          </>
        )}
      </WhenLoaded>
      <p>
        <Link to={`/office/events/${eventId}`}>Back to the event</Link>
      </p>
    </Page>
  );
}
