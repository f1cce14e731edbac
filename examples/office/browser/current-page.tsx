import { Link } from '../../site/browser/parts/link.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { usePath } from '../../site/browser/state/router.ts';
import { ArrearsPage } from './arrears.tsx';
import { CampaignPage, CampaignsPage } from './campaigns.tsx';
import { EventPage } from './event.tsx';
import { CancelEventPage, CopyEventPage, EditEventPage, NewEventPage } from './event-forms.tsx';
import { EventsPage } from './events.tsx';
import { HeldBasketsPage } from './held-baskets.tsx';
import { JobPage } from './job.tsx';
import { PhasePage } from './phases.tsx';
import { PartPage } from './price-forms.tsx';
import { RequestsPage } from './requests.tsx';
import { SeatsPage } from './seats.tsx';
import { WaitingListPage } from './waiting-list.tsx';

/** The page of the path, such as /office/events/7/prices/new. */
export function CurrentPage({ organisation }: { readonly organisation: Organisation }) {
  const path = usePath();
  const [, , section, eventId, what, id] = path.split('/');
  if (section === 'requests') return <RequestsPage organisation={organisation} />;
  if (section === 'arrears') return <ArrearsPage organisation={organisation} />;
  if (section === 'campaigns') {
    return eventId === undefined ? (
      <CampaignsPage />
    ) : (
      <CampaignPage key={eventId} id={eventId} organisation={organisation} />
    );
  }
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
