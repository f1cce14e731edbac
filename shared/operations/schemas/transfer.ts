import * as v from 'valibot';
import { field, Id, resource, UnixSeconds } from './fields.ts';

const entries = {
  transfer_id: field(v.string(), 'Unique identifier of the transfer.'),
  ticket_id: field(Id, 'The ticket that is given away.'),
  status: field(
    v.picklist(['offered', 'accepted', 'cancelled', 'expired']),
    'offered: it can be accepted until `expires_at`. The others are final.',
  ),
  email: field(
    v.nullable(v.string()),
    'Whom the ticket was offered to, while the offer is open and if it was accepted; null otherwise, and if the person was erased.',
  ),
  created: field(UnixSeconds, 'When the ticket was offered, in Unix seconds.'),
  expires_at: field(UnixSeconds, 'Until when it can be accepted, in Unix seconds.'),
};

export const Transfer = resource('Transfer', 'A ticket that is given to somebody else.', entries);
export type Transfer = v.InferOutput<typeof Transfer>;

export const OfferedTransfer = resource('OfferedTransfer', 'A transfer with the token that accepts it.', {
  ...entries,
  accept_token: field(
    v.nullable(v.string()),
    'Whoever sends it to accept-transfer gets the ticket. Put it into the link that you send to `email`. It is shown once: null when an Idempotency-Key returns the response again.',
  ),
});
