import * as v from 'valibot';
import { field, resource } from './fields.ts';
import { OrderRefund } from './order-refund.ts';

export const RefundToReturn = resource('RefundToReturn', 'A refund that your staff have to hand over.', {
  ...OrderRefund.entries,
  event_id: field(v.nullable(v.string()), 'The event of the order; null for an order of memberships only.'),
});
export type RefundToReturn = v.InferOutput<typeof RefundToReturn>;
