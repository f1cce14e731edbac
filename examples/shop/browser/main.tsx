import { render } from 'preact';
import { showClosed } from '../../site/browser/parts/closed.tsx';
import { Link } from '../../site/browser/parts/link.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { readConfig } from '../../site/browser/state/config.ts';
import { writeAs } from '../../site/browser/state/locale.ts';
import { usePath } from '../../site/browser/state/router.ts';
import { applyColours } from '../../site/browser/state/theme.ts';
import { AcceptPage } from './pages/accept.tsx';
import { BasketPage } from './pages/basket.tsx';
import { CheckoutPage } from './pages/checkout.tsx';
import { ConfirmationPage } from './pages/confirmation.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { GatePage } from './pages/gate.tsx';
import { KeptPage } from './pages/kept.tsx';
import { MembershipPage } from './pages/membership.tsx';
import { MembershipsPage } from './pages/memberships.tsx';
import { MyDetailsPage } from './pages/my-details.tsx';
import { MyTicketsPage } from './pages/my-tickets.tsx';
import { PaymentPage } from './pages/payment.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { ConfirmWaitingPage, LeaveWaitingPage } from './pages/waiting.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { ConfirmWithdrawalPage, WithdrawPage } from './pages/withdraw.tsx';
import { Layout } from './parts/layout.tsx';
import { call } from './state/api.ts';
import { refreshBasket } from './state/basket.ts';

function Shop({ organisation }: { readonly organisation: Organisation }) {
  // The device of a gate shows nothing else.
  if (usePath() === '/gate') return <GatePage />;
  return (
    <Layout organisation={organisation}>
      <CurrentPage organisation={organisation} />
    </Layout>
  );
}

function CurrentPage({ organisation }: { readonly organisation: Organisation }) {
  const path = usePath();
  const [, eventId] = /^\/events\/([\w-]+)$/.exec(path) ?? [];
  if (eventId !== undefined) return <EventPage eventId={eventId} key={eventId} />;
  const [, listId, entryId] = /^\/waiting\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
  if (listId !== undefined && entryId !== undefined) return <LeaveWaitingPage eventId={listId} entryId={entryId} />;
  const [, toConfirm, confirmedId] = /^\/confirm\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
  if (toConfirm !== undefined && confirmedId !== undefined) {
    return <ConfirmWaitingPage eventId={toConfirm} entryId={confirmedId} />;
  }
  const [, memberId] = /^\/memberships\/(\d+)$/.exec(path) ?? [];
  if (memberId !== undefined) return <MembershipPage memberId={memberId} organisation={organisation} key={memberId} />;
  const [, withdrawalId] = /^\/withdraw\/(\w+)$/.exec(path) ?? [];
  if (withdrawalId !== undefined) {
    return <ConfirmWithdrawalPage withdrawalId={withdrawalId} organisation={organisation} />;
  }
  const [, keptId] = /^\/kept\/(\d+)$/.exec(path) ?? [];
  if (keptId !== undefined) return <KeptPage basketId={keptId} />;
  switch (path) {
    case '/memberships':
      return <MembershipsPage organisation={organisation} />;
    case '/':
      return <EventsPage organisation={organisation} />;
    case '/basket':
      return <BasketPage />;
    case '/checkout':
      return <CheckoutPage organisation={organisation} />;
    case '/payment':
      return <PaymentPage />;
    case '/confirmation':
      return <ConfirmationPage organisation={organisation} />;
    case '/my-tickets':
      return <MyTicketsPage organisation={organisation} />;
    case '/my-details':
      return <MyDetailsPage organisation={organisation} />;
    case '/accept':
      return <AcceptPage organisation={organisation} />;
    case '/sign-in':
      return <SignInPage organisation={organisation} />;
    case '/withdraw':
      return <WithdrawPage organisation={organisation} />;
    case '/webhooks':
      return <WebhooksPage />;
    default:
      return (
        <Page title="This page does not exist" intro="The address may be old, or have a typing mistake.">
          <Link to="/" class="button">
            See all events
          </Link>
        </Page>
      );
  }
}

const root = document.getElementById('site');
if (root === null) throw new Error('The document has no place for the shop.');
try {
  const { organisation: known } = readConfig();
  // What the page needs is asked for at the same time. A page without its basket is still a page.
  void refreshBasket().catch(() => {});
  const organisation = known ?? (await call<Organisation>('GET', '/v1/organisation'));
  applyColours(organisation.background_color);
  writeAs(organisation.locale);
  root.replaceChildren();
  render(<Shop organisation={organisation} />, root);
} catch (error) {
  showClosed('The shop is closed for a moment', error, root);
}
