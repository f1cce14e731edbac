import { basketsSection } from './baskets.ts';
import { consentsSection } from './consents.ts';
import { customerSection } from './customer.ts';
import { customerAttributesSection } from './customer-attributes.ts';
import { documentsSection } from './documents.ts';
import { eventsSection } from './events.ts';
import { membersSection } from './members.ts';
import { ordersSection } from './orders.ts';
import { paymentPlansSection } from './payment-plans.ts';
import { providerCustomersSection } from './provider-customers.ts';
import { renewalsSection } from './renewals.ts';
import { scansSection } from './scans.ts';
import { seatBlocksSection } from './seat-blocks.ts';
import { isCustomer, type Person, type PersonSection } from './section.ts';
import { ssoLinksSection } from './sso-links.ts';
import { storedResponsesSection } from './stored-responses.ts';
import { transfersSection } from './transfers.ts';
import { waitingListsSection } from './waiting-lists.ts';
import { walletPassesSection } from './wallet-passes.ts';
import { withdrawalsSection } from './withdrawals.ts';

/**
 * All personal data. The customer is erased after what it leads to, and so is the address of an offered ticket. The links come last: they are found by the id, which stays,
 * and a page can make a new link until the customer has no address.
 */
const allSections: readonly PersonSection[] = [
  // The orders, offers and memberships lead to the passes.
  walletPassesSection,
  basketsSection,
  membersSection,
  paymentPlansSection,
  renewalsSection,
  providerCustomersSection,
  documentsSection,
  // The orders lead to them.
  withdrawalsSection,
  ordersSection,
  scansSection,
  seatBlocksSection,
  eventsSection,
  storedResponsesSection,
  // Its entries say whose the events are.
  waitingListsSection,
  transfersSection,
  customerAttributesSection,
  customerSection,
  consentsSection,
  ssoLinksSection,
];

/** What an address leads to that is no customer's. */
const ofCustomersOnly: readonly PersonSection[] = [
  customerAttributesSection,
  customerSection,
  consentsSection,
  ssoLinksSection,
];

/** The sections of a customer, or of somebody who is none. */
export function personSections(person: Pick<Person, 'customer'>): readonly PersonSection[] {
  return isCustomer(person) ? allSections : allSections.filter((section) => !ofCustomersOnly.includes(section));
}
