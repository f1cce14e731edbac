import type * as v from 'valibot';
import { field, Money, resource } from './fields.ts';
import { orderLink } from './order-link.ts';
import { OrderWithTickets } from './order-with-tickets.ts';

export const LinkedOrder = resource(
  'LinkedOrder',
  'An order as an API key retrieves it, with what is paid and a link for its buyer.',
  {
    ...OrderWithTickets.entries,
    paid: field(
      Money,
      'How much of the total was paid, also if it was refunded later; 0 for a pending order. A later instalment that is paid is announced by instalment.paid and does not change updated_at.',
    ),
    outstanding: field(
      Money,
      'How much of the total is still owed: the open instalments of its memberships, or all of a pending order.',
    ),
    kept: field(
      Money,
      'How much of the total stays with the organisation although its tickets or memberships were refunded: what refund-order and cancel-member kept. 0 if nothing does.',
    ),
    link: orderLink,
  },
);
export type LinkedOrder = v.InferOutput<typeof LinkedOrder>;
