import { Link } from '../../site/browser/parts/link.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { usePath } from '../../site/browser/state/router.ts';
import { ArrearsPage } from './arrears.tsx';
import { CampaignPage, CampaignsPage } from './campaigns.tsx';
import { CounterPage } from './counter.tsx';
import { CustomerPage, MemberPage } from './customer.tsx';
import { EventPage } from './event.tsx';
import { CancelEventPage, CopyEventPage, EditEventPage, NewEventPage } from './event-forms.tsx';
import { EventsPage } from './events.tsx';
import { FindPage } from './find.tsx';
import { HeldBasketsPage } from './held-baskets.tsx';
import { JobPage } from './job.tsx';
import { MoveSeatPage } from './move-seat.tsx';
import { OrderPage } from './order.tsx';
import { PhasePage } from './phases.tsx';
import { PartPage } from './price-forms.tsx';
import { RequestsPage } from './requests.tsx';
import { SeasonFormPage, SeasonPage } from './season.tsx';
import { SeatsPage } from './seats.tsx';
import { TakingsPage } from './takings.tsx';
import { WaitingListPage } from './waiting-list.tsx';
import { WithdrawalsPage } from './withdrawals.tsx';

/** The page of the path, such as /office/orders/7/seat/8. */
export function CurrentPage({ organisation }: { readonly organisation: Organisation }) {
  const path = usePath();
  const [, , section, id = '', what, part = ''] = path.split('/');
  const props = { id, organisation };
  switch (section) {
    case 'find':
      return <FindPage organisation={organisation} />;
    case 'orders':
      return what === 'seat' ? (
        <MoveSeatPage key={path} orderId={id} ticketId={Number(part)} />
      ) : (
        <OrderPage key={path} orderId={id} organisation={organisation} />
      );
    case 'customers':
      return <CustomerPage key={path} {...props} />;
    case 'members':
      return <MemberPage key={path} {...props} />;
    case 'counter':
      return id === 'takings' ? <TakingsPage organisation={organisation} /> : <CounterPage key={id} eventId={id} />;
    case 'requests':
      return <RequestsPage organisation={organisation} />;
    case 'arrears':
      return <ArrearsPage organisation={organisation} />;
    case 'withdrawals':
      return <WithdrawalsPage organisation={organisation} />;
    case 'campaigns':
      return id === '' ? <CampaignsPage /> : <CampaignPage key={id} {...props} />;
    case 'season':
      return id === 'venues' || id === 'membership_payment_options' ? (
        <SeasonFormPage key={path} part={id} id={decodeURIComponent(what ?? 'new')} organisation={organisation} />
      ) : (
        <SeasonPage />
      );
    default:
      return <PageOfEvents organisation={organisation} path={path} />;
  }
}

interface EventsProps {
  readonly organisation: Organisation;
  readonly path: string;
}

/** The page of the path, such as /office/events/7/prices/new. */
function PageOfEvents({ organisation, path }: EventsProps) {
  const [, , , eventId, what, id] = path.split('/');
  if (eventId === undefined) return <EventsPage />;
  if (eventId === 'new') return <NewEventPage organisation={organisation} />;
  switch (what) {
    case undefined:
      return <EventPage key={eventId} eventId={eventId} />;
    case 'edit':
      return <EditEventPage eventId={eventId} />;
    case 'copy':
      return <CopyEventPage eventId={eventId} />;
    case 'cancel':
      return <CancelEventPage eventId={eventId} />;
    case 'seats':
      return <SeatsPage eventId={eventId} />;
    case 'waiting':
      return <WaitingListPage eventId={eventId} />;
    case 'held':
      return <HeldBasketsPage eventId={eventId} />;
    case 'phases':
      return <PhasePage key={path} eventId={eventId} id={id ?? 'new'} />;
    case 'jobs':
      return <JobPage eventId={eventId} jobId={id ?? ''} />;
    case 'prices':
    case 'pools':
    case 'price_categories':
      return <PartPage key={path} eventId={eventId} part={what} id={id ?? 'new'} />;
    default:
      return (
        <Page title="This page does not exist">
          <Link to="/office" class="button">
            See all events
          </Link>
        </Page>
      );
  }
}
