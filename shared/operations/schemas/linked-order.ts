import type * as v from 'valibot';
import { resource } from './fields.ts';
import { orderLink } from './order-link.ts';
import { OrderWithTickets } from './order-with-tickets.ts';

export const LinkedOrder = resource('LinkedOrder', 'An order as an API key retrieves it, with a link for its buyer.', {
  ...OrderWithTickets.entries,
  link: orderLink,
});
export type LinkedOrder = v.InferOutput<typeof LinkedOrder>;
