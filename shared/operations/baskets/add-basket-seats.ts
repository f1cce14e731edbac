import * as v from 'valibot';
import { basketsAccess } from '../../data/baskets/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { maxBasketTickets } from '../../domain/baskets/basket.ts';
import { seatMapLimits } from '../../domain/seats/seat-map.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { Basket } from '../schemas/basket.ts';
import { field } from '../schemas/fields.ts';
import { IdOrText, text } from '../schemas/text.ts';
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

const Item = v.strictObject({
  price_id: field(IdOrText, 'The price of the tickets.'),
  quantity: v.optional(
    field(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBasketTickets))),
      'How many of the best seats. Send either quantity or seats.',
    ),
    null,
  ),
  seats: v.optional(
    field(
      v.nullable(v.pipe(v.array(text(100)), v.minLength(1), v.maxLength(maxBasketTickets))),
      'The seats that the buyer picked, as `section/row/seat`, one for each ticket.',
    ),
    null,
  ),
  holders: v.optional(Holders, null),
});

export const addBasketSeats = defineOperation({
  id: 'add-basket-seats',
  resource: 'baskets',
  summary: 'Add seats to a basket',
  description: `Takes seats of an event with reserved seating and adds their tickets to the basket: all of them or none. Every item is a line. Returns the whole
basket.

With \`seats\` in every item, the buyer gets the seats that they picked. With \`quantity\` in every item, the buyer gets the best seats together, and the
tickets are laid on them in the order of the items. \`section\`, \`accessible\` and \`together\` are wishes for the best seats.
They are chosen at random among the rows that are nearest to the stage, so that many buyers do not meet in one row: the same request may get others.

A take that leaves a single free seat behind is 409 \`leaves_single_seat\`, unless no other one in the row avoids it or the event allows it. A seat that somebody
else has taken is 409 \`seat_taken\`. The body of both has \`seats\` beside \`error\`: its \`rows\` are as they are now, and \`instead\` of
the first has takes that are allowed.
Companion seats are sold with their wheelchair place (403 \`companion_only\`). With \`accessible\`, the first tickets get wheelchair places, and the others
the companion seats of those places and then the seats beside them; too few free wheelchair places are 409 \`accessible_sold_out\`.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/seats'),
  auth: { ...purchaseAuth, ssoUser: 'optional' },
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      items: field(v.pipe(v.array(Item), v.minLength(1), v.maxLength(10)), 'The tickets to add, all of one event.'),
      section: v.optional(field(v.nullable(text(seatMapLimits.name)), 'Only the best seats of this section.'), null),
      accessible: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxBasketTickets)),
          'How many of the tickets are for wheelchair places. The places belong to the first tickets. A companion seat is taken only for a further ticket: for one wheelchair user and a companion, ask for a quantity of 2 and accessible 1.',
        ),
        0,
      ),
      together: v.optional(
        field(v.boolean(), 'Whether the best seats must be together. Otherwise they may be anywhere if they cannot.'),
        true,
      ),
    }),
  },
  output: { schema: Basket, problems: ['parameter_conflict', 'accessible_sold_out', ...addProblems, ...seatProblems] },
  effects: {
    access: [
      basketsAccess.readBasket,
      basketsAccess.readAddressCount,
      salesAccess.changeBasketEndingPayment,
      pricesAccess.readOffer,
      ...seatsAccess,
      ...holdersAccess,
      ...phaseAccess,
    ],
    usesPayments: true,
    cannotBeUndone: false,
  },
  // As add-basket-item.
  runtime: { timeoutSeconds: 27, concurrency: 150, raisedForSale: true },
});
