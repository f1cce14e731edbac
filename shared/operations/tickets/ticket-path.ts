import * as v from 'valibot';
import { ordersAccess } from '../../data/orders/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import { field } from '../schemas/fields.ts';

/** The ticket of a path. A text that names no ticket is a 404. */
export const ticketPath = v.strictObject({ ticket_id: field(v.string(), 'The ticket_id of the ticket.') });

/** What finds a ticket for its holder or for an API key. */
export const ticketAccess = [
  ssoAccess.findSignedInUser,
  ordersAccess.findOrderRef,
  ordersAccess.readOrderAt,
  pricesAccess.readTicketRules,
];

/** What signs the link of a ticket. */
export const linkAccess = [organisationsAccess.readOrganisation];

/** Who gets the documents of a ticket: the organisation, the fan who holds it, and whoever has its link. */
export const documentAuth = {
  kind: 'metered',
  scope: 'read',
  ssoUser: 'linked_on_pages',
  storefront: { sees: 'a ticket that the signed-in fan holds' },
  ticketLink: true,
} as const;
