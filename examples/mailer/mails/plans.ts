import { eventMails, kindOfEventMail } from './event-mails.ts';
import { markCustomer } from './mark-customer.ts';
import { announcedMail, dueMail, failedMail, renewedMail } from './membership-mails.ts';
import { cancelledMail, invoiceMail, orderMail, refundMail } from './order-mails.ts';
import type { Announced, Office, Plan, PlannedPage } from './planned.ts';
import { acceptedMails, offeredMail } from './ticket-mails.ts';
import { confirmMail, endedMail, heldMail } from './waiting-mails.ts';
import { decidedMail, receivedMail, requestedMail } from './withdrawal-mails.ts';

/** Made up by this program: the provider reported a bounce or a complaint. It has no mails. */
export const suppressedType = 'address.suppressed';

const plans: Readonly<Record<string, Plan<never>>> = {
  'order.completed': orderMail,
  'order.refunded': refundMail,
  'order.cancelled': cancelledMail,
  'ticket.transfer_offered': offeredMail,
  'ticket.transferred': acceptedMails,
  'waiting_list.joined': confirmMail,
  'waiting_list.offered': heldMail,
  'waiting_list.expired': endedMail,
  'instalment.failed': failedMail,
  'instalment.action_required': dueMail,
  'membership.renewal_due': announcedMail,
  'membership.renewed': renewedMail,
  'order.withdrawal_requested': requestedMail,
  'order.withdrawal_received': receivedMail,
  'order.withdrawal_decided': decidedMail,
  'invoice.due': invoiceMail,
  [suppressedType]: markCustomer,
};

/** The types for which the endpoint is registered. `invoice.due` is made up by this program. */
export const types = [
  'order.*',
  'event.*',
  'ticket.transfer_offered',
  'ticket.transferred',
  'waiting_list.*',
  'instalment.*',
  'membership.*',
  'customer.erased',
];

export const hasMails = (event: Announced<never>): boolean =>
  event.type in plans || (event.type.startsWith('event.') && kindOfEventMail(event) !== undefined);

/** The mails of an event, from `cursor` on. */
export async function planMails(event: Announced<never>, office: Office, cursor: string | null): Promise<PlannedPage> {
  const plan = plans[event.type];
  return plan === undefined ? eventMails(event, office, cursor) : { mails: await plan(event, office), next: null };
}
