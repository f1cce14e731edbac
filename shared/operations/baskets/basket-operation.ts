import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { codesAccess } from '../../data/codes/access.ts';
import { customersAccess } from '../../data/customers/access.ts';
import { membersAccess } from '../../data/members/access.ts';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { seatsAccess as rowsAccess } from '../../data/seats/access.ts';
import { ssoAccess } from '../../sso/access.ts';
import type { ProblemCode } from '../problems.ts';
import { field } from '../schemas/fields.ts';

/** Baskets have two paths: with the version, like all operations, and without, as in the sample of the service specification. */
export const basketPaths = (path = ''): readonly [string, string] => [`/v1/baskets${path}`, `/baskets${path}`];

export const basketAuth = {
  kind: 'metered',
  scope: 'baskets:write',
  storefront: { sees: 'only the basket whose basket token X-Basket-Token has; any other basket is a 404' },
} as const;

/** For the operations of every purchase: a form can carry the tokens, so that the browser sends no preflight request. */
export const purchaseAuth = { ...basketAuth, storefront: { ...basketAuth.storefront, simpleForm: true } } as const;

export const basketId = field(v.string(), 'The id of the basket.');
export const lineId = field(v.string(), 'The line_id of the line.');

/** The problems of every operation that changes a basket. */
export const basketProblems = [
  'basket_expired',
  'basket_cancelled',
  'basket_already_checked_out',
  'checkout_in_progress',
] as const satisfies readonly ProblemCode[];

/** The problems of every operation that adds tickets to a basket. */
export const addProblems = [
  'resource_missing',
  ...basketProblems,
  'basket_full',
  'event_mismatch',
  'currency_mismatch',
  'event_not_on_sale',
  'price_not_on_sale',
  'not_at_counter',
  'phase_not_open',
  'not_eligible',
  'membership_not_on_sale',
  'sold_out',
  'waiting_list_open',
  'hold_limit_reached',
  'basket_held',
  'hold_too_long',
  'max_per_order_exceeded',
  'max_per_person_exceeded',
  'membership_not_proven',
] as const satisfies readonly ProblemCode[];

/** The problems of every operation that takes seats. */
export const seatProblems = [
  'seat_unknown',
  'seat_wrong_zone',
  'seat_taken',
  'seats_not_together',
  'leaves_single_seat',
  'companion_only',
] as const satisfies readonly ProblemCode[];

/** What finds out whether a signed-in fan may buy in a phase. */
export const phaseAccess = [
  basketsAccess.readMemberTickets,
  membersAccess.membersOfCustomer,
  customersAccess.readAttributes,
  ssoAccess.findSignedInUser,
];

/** What chooses and takes seats. */
export const seatsAccess = [
  codesAccess.readCampaign,
  seatMapsAccess.readMapVersion,
  rowsAccess.readSeenRows,
  rowsAccess.readTakenSection,
];
