import { basketsSection } from './baskets.ts';
import { customerSection } from './customer.ts';
import { eventsSection } from './events.ts';
import { membersSection } from './members.ts';
import { ordersSection } from './orders.ts';
import { scansSection } from './scans.ts';
import type { PersonSection } from './section.ts';
import { ssoLinksSection } from './sso-links.ts';
import { storedResponsesSection } from './stored-responses.ts';

/** All personal data. The customer is erased last: until then, it leads to the other sections. */
export const personSections: readonly PersonSection[] = [
  basketsSection,
  membersSection,
  ordersSection,
  scansSection,
  ssoLinksSection,
  eventsSection,
  storedResponsesSection,
  customerSection,
];
