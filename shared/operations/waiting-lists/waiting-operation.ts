import { authAccess } from '../../data/auth/access.ts';
import { customersAccess } from '../../data/customers/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { waitingListAccess } from '../../data/waiting-list/access.ts';
import { outboxAccess } from '../../outbox/access.ts';
import { phaseAccess } from '../baskets/basket-operation.ts';
import type { ProblemCode } from '../problems.ts';

/** Why nobody can wait for so many tickets of a price now. */
export const waitProblems = [
  'basket_full',
  'max_per_order_exceeded',
  'event_not_on_sale',
  'price_not_on_sale',
  'waiting_list_closed',
  'waiting_list_not_offered',
  'not_sold_out',
  'max_per_person_exceeded',
] as const satisfies readonly ProblemCode[];

/** What puts a person at the end of a waiting list. */
export const waitAccess = [
  ...phaseAccess,
  pricesAccess.readPricedEvent,
  pricesAccess.readStock,
  authAccess.readBasketKey,
  customersAccess.readCustomer,
  waitingListAccess.readEntry,
  waitingListAccess.readOfferedBaskets,
  waitingListAccess.joinWaitingList,
  outboxAccess.outboxItems,
];

export const leaveLink = {
  to: 'leave-waiting-list',
  params: { event_id: '$request.path.event_id', entry_id: '$response.body#/entry_id' },
} as const;
