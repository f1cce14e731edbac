import { type ComponentChildren, render } from 'preact';
import { showClosed } from '../../site/browser/parts/closed.tsx';
import { ButtonLink } from '../../site/browser/parts/link.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { readConfig } from '../../site/browser/state/config.ts';
import { usePath } from '../../site/browser/state/router.ts';
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
import { openFor } from './state/organisation.ts';

function Shop() {
  const path = usePath();
  // The device of a gate shows nothing else.
  if (path === '/gate') return <GatePage />;
  return <Layout>{pageOf(path)}</Layout>;
}

/** The pages, each by the form of its path and with what the path names. */
const pages: readonly (readonly [RegExp, (...names: string[]) => ComponentChildren])[] = [
  [/^\/$/, () => <EventsPage />],
  [/^\/events\/([\w-]+)$/, (eventId) => <EventPage eventId={eventId} key={eventId} />],
  [/^\/waiting\/([\w-]+)\/(\w+)$/, (eventId, entryId) => <LeaveWaitingPage eventId={eventId} entryId={entryId} />],
  [/^\/confirm\/([\w-]+)\/(\w+)$/, (eventId, entryId) => <ConfirmWaitingPage eventId={eventId} entryId={entryId} />],
  [/^\/memberships$/, () => <MembershipsPage />],
  [/^\/memberships\/(\d+)$/, (memberId) => <MembershipPage memberId={memberId} key={memberId} />],
  [/^\/kept\/(\d+)$/, (basketId) => <KeptPage basketId={basketId} />],
  [/^\/basket$/, () => <BasketPage />],
  [/^\/checkout$/, () => <CheckoutPage />],
  [/^\/payment$/, () => <PaymentPage />],
  [/^\/confirmation$/, () => <ConfirmationPage />],
  [/^\/my-tickets$/, () => <MyTicketsPage />],
  [/^\/my-details$/, () => <MyDetailsPage />],
  [/^\/accept$/, () => <AcceptPage />],
  [/^\/sign-in$/, () => <SignInPage />],
  [/^\/withdraw$/, () => <WithdrawPage />],
  [/^\/withdraw\/(\w+)$/, (withdrawalId) => <ConfirmWithdrawalPage withdrawalId={withdrawalId} />],
  [/^\/webhooks$/, () => <WebhooksPage />],
];

function pageOf(path: string): ComponentChildren {
  for (const [form, page] of pages) {
    const [found, ...names] = form.exec(path) ?? [];
    if (found !== undefined) return page(...names);
  }
  return (
    <Page title="This page does not exist" intro="The address may be old, or have a typing mistake.">
      <ButtonLink to="/">See all events</ButtonLink>
    </Page>
  );
}

const root = document.getElementById('site');
if (root === null) throw new Error('The document has no place for the shop.');
try {
  const { organisation } = readConfig();
  // What the page needs is asked for at the same time. A page without its basket is still a page.
  void refreshBasket().catch(() => {});
  openFor(organisation ?? (await call<Organisation>('GET', '/v1/organisation')));
  root.replaceChildren();
  render(<Shop />, root);
} catch (error) {
  showClosed('The shop is closed for a moment', error, root);
}
