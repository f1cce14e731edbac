import * as v from 'valibot';
import { field } from '../schemas/fields.ts';

/** The withdrawal of a path. A text that names none is a 404. */
export const withdrawalPath = v.strictObject({
  withdrawal_id: field(v.string(), 'The withdrawal_id of the withdrawal.'),
});

export const retrieveLink = {
  to: 'retrieve-withdrawal',
  params: { withdrawal_id: '$response.body#/withdrawal_id' },
} as const;

/** What a withdrawal that is received may do: it is accepted by itself in time and unused. */
export const receivedEvents = [
  'order.withdrawal_received',
  'order.withdrawal_decided',
  'membership.cancelled',
  'member.updated',
  'order.cancelled',
  'order.refunded',
  'order.refund_failed',
] as const;
