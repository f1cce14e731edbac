import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { codesAccess } from '../../data/codes/access.ts';
import { journalAccess } from '../../data/journal/access.ts';
import { membersAccess } from '../../data/members/access.ts';
import { membershipAccess } from '../../data/membership/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { termsAccess } from '../../data/terms/access.ts';
import {
  maxBasketPersons,
  maxBasketStocks,
  maxBasketTickets,
  maxTicketsWithMemberships,
} from '../../domain/baskets/basket.ts';
import { saleAfterStartSeconds } from '../../domain/events/event.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { IdOrText } from '../schemas/text.ts';
import {
  addProblems,
  basketId,
  basketPaths,
  phaseAccess,
  purchaseAuth,
  seatProblems,
  seatsAccess,
} from './basket-operation.ts';
import { Holders, holdersAccess } from './holder-fields.ts';

export const addBasketItem = defineOperation({
  id: 'add-basket-item',
  resource: 'baskets',
  summary: 'Add an item to a basket',
  description: `Reserves the tickets and adds them to the basket: all of them or none. If the basket already contains a line of
this price without holders, its quantity increases. Tickets with \`holders\` are a line of their own. A basket can hold at most
${maxBasketTickets} tickets of ${maxBasketStocks} different prices and pools, all for one event and in one currency; a group ticket counts as the tickets that it
includes. A payment that waits for the buyer is cancelled first. Returns the whole basket.

Only published events are on sale, until ${saleAfterStartSeconds / 3_600} hours after their start; a price with a later \`available_until_unix\` is sold until then.
Otherwise the response is 409 \`event_not_on_sale\`.

A price that is sold in phases (create-phase) is 403 \`phase_not_open\` outside of them, and 403 \`not_eligible\` if the basket lacks the code, or the fan whose token
is sent the membership or the attribute. \`phase\` beside \`error\` says when the next phase opens, or what is missing.

A price of an event with a seat map gets the best seats together, as add-basket-seats gives them.

With \`membership_type_id\` the item is a membership, which is a line of its own. It makes as many people members as the type's
\`persons\`; \`holders\` names them. The members exist, with numbers and barcodes, when the basket is checked out. A basket can hold memberships
for at most ${maxBasketPersons} people, and then at most ${maxTicketsWithMemberships} tickets. A membership in the basket proves that its buyer may buy prices for members of its type.
A type that is not on sale is 409 \`membership_not_on_sale\`, and one whose capacity is used up 409 \`sold_out\`.

With \`renews\` the item is the next term of a member, and of all who were bought together with it. Number, barcode and seat stay. The type is the
\`renews_as_membership_type_id\` of the last term's type, or that type itself if it has \`term_months\`. The term begins where the last one ends, or at the
checkout if that is past; the member has the new type from then on. Only an API key, or a storefront token with the token of the linked fan who holds the
membership, may renew (403 \`membership_not_proven\`). What cannot be renewed is 409 \`membership_not_renewable\`.

With \`replaces\` and \`membership_type_id\` the type of a member changes at the checkout, and that of all who were bought together with it. A new term begins
then. What was paid for the rest of the old one is an adjustment \`replaced_term\`; what is more than the new price is not returned. The basket shows what it
costs. A member with a later term is 409 \`later_term_exists\`, and one with outstanding instalments 409 \`plan_open\`.
Money that a bank has withdrawn in a dispute is not credited: 409 \`membership_not_renewable\` until the bank returns it.
While a refund of the term is pending, it is neither renewed nor replaced: 409 \`refund_in_progress\`.

A price may have a maximum quantity per order. With a storefront token, the baskets of one network address hold at most 40 tickets and memberships at a time
unless the token has another limit. A price that only a code reveals looks like a missing one until the code is applied (apply-code).`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/items'),
  auth: { ...purchaseAuth, ssoUser: 'optional' },
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      price_id: v.optional(
        field(
          v.nullable(IdOrText),
          'The price of the tickets to add, all of one event. Send either price_id or membership_type_id.',
        ),
        null,
      ),
      membership_type_id: v.optional(
        field(
          v.nullable(IdOrText),
          'The membership type to add. Send either price_id or membership_type_id. With renews it can be left out.',
        ),
        null,
      ),
      renews: v.optional(
        field(
          v.nullable(IdOrText),
          'The membership_member_id of the member to renew. Members who were not bought here and renew together are named in holders.',
        ),
        null,
      ),
      replaces: v.optional(
        field(
          v.nullable(IdOrText),
          'The membership_member_id of the member whose membership becomes one of membership_type_id, from the checkout on.',
        ),
        null,
      ),
      quantity: field(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBasketTickets)),
        'The number to add. A group ticket counts as one. A membership is added one at a time: 1.',
      ),
      holders: v.optional(Holders, null),
    }),
  },
  output: {
    schema: Basket,
    problems: [
      'parameter_missing',
      'parameter_conflict',
      ...addProblems,
      ...seatProblems,
      'membership_not_renewable',
      'later_term_exists',
      'refund_in_progress',
      'plan_open',
    ],
    links: [
      {
        to: 'remove-basket-item',
        params: { basket_id: '$response.body#/id', price_id: '$response.body#/items/0/price_id' },
      },
      {
        to: 'update-basket-line',
        params: { basket_id: '$response.body#/id', line_id: '$response.body#/items/0/line_id' },
      },
      {
        to: 'remove-basket-line',
        params: { basket_id: '$response.body#/id', line_id: '$response.body#/items/0/line_id' },
      },
      { to: 'check-out-basket', params: { basket_id: '$response.body#/id' } },
    ],
  },
  effects: {
    access: [
      basketsAccess.readBasket,
      basketsAccess.readAddressCount,
      salesAccess.changeBasketEndingPayment,
      pricesAccess.readOffer,
      codesAccess.readCampaign,
      membershipAccess.readMembershipOffer,
      membershipAccess.readRenewalOffer,
      membersAccess.activeTermsOf,
      membersAccess.boughtTogether,
      termsAccess.termsOfMember,
      journalAccess.isMoneyWithdrawn,
      organisationsAccess.readOrganisation,
      ...seatsAccess,
      ...holdersAccess,
      ...phaseAccess,
    ],
    usesPayments: true,
    cannotBeUndone: false,
  },
  // A payment that waits for the buyer is cancelled at the provider first.
  // 600 holds a second: 40 at 65 ms each, and five times that while instances start and conflicts are repeated.
  runtime: { timeoutSeconds: 27, concurrency: 300, raisedForSale: true },
});
