import { moneyText } from '../../../domain/money.ts';
import { chargedDecimals } from '../../../domain/prices/amounts.ts';
import { Fault } from '../../../platform/fault.ts';
import type { EndedTickets } from '../../../sales/refunds/cancel-or-refund-tickets.ts';
import type { RequestedRefund } from '../../../sales/refunds/request-refund.ts';
import { notFound, type Problem, problem, referenceMissing } from '../../problem.ts';
import { laterTermExists } from './later-term-exists.ts';
import { refundInProgress } from './refund-in-progress.ts';

type CancelledOrder = Extract<EndedTickets, { outcome: 'changed' }>['change'];
type RecordedRefund = Extract<RequestedRefund, { outcome: 'recorded' }>;

/** The change of an order whose tickets were cancelled. Throws the problem if they were not. */
export function unwrapCancelledOrder(ended: EndedTickets, orderId: number): CancelledOrder {
  switch (ended.outcome) {
    case 'changed':
      return ended.change;
    case 'missing':
      throw notFound('order');
    case 'unknown_members':
    case 'unknown_tickets':
      throw referenceMissing('ticket in this order', 'ticket_ids');
    case 'refused':
      throw new Fault(`The stock of the order ${orderId} is missing.`);
    case 'later_term':
      throw laterTermExists(ended.memberIds);
    case 'plan_open':
      throw problem(
        'plan_open',
        'A membership of this order is not paid completely. Nothing was changed. Refund it with refund-order, which also ends what is owed, or name the tickets to cancel.',
      );
    case 'invoice_open':
      throw problem(
        'invoice_open',
        'Something is owed of this invoice. Nothing was changed. Refund it with refund-order, which also writes off what is owed.',
      );
    case 'charge_in_progress':
      throw problem(
        'payment_in_progress',
        'The renewal of a membership of this order is being charged. Nothing was changed. Try again in a minute.',
        { retryAfterSeconds: 60 },
      );
    case 'refund_in_progress':
      throw refundInProgress('Nothing was changed.');
    case 'unchanged':
      throw problem(
        'ticket_not_active',
        'A ticket is cancelled or refunded already, or none is left to cancel. Nothing was changed. Retrieve the order.',
        { param: 'ticket_ids' },
      );
  }
}

/** The refund that was requested. Throws the problem if it was refused. */
export function unwrapRequestedRefund(requested: RequestedRefund): RecordedRefund {
  switch (requested.outcome) {
    case 'recorded':
      return requested;
    case 'missing':
      throw notFound('order');
    case 'unknown_tickets':
      throw referenceMissing('ticket in this order', 'ticket_ids');
    case 'unknown_members':
      throw referenceMissing('membership in this order', 'membership_member_ids');
    case 'later_term':
      throw laterTermExists(requested.memberIds);
    case 'charge_in_progress':
      throw problem(
        'payment_in_progress',
        'An instalment or the renewal of a membership in this order is being charged. Nothing was changed. Try again in a minute.',
        { retryAfterSeconds: 60 },
      );
    case 'keep_not_payable':
      throw problem('parameter_invalid', `The parameter keep ${chargedDecimals(requested.currency)}`, {
        param: 'keep',
      });
    case 'keep_above_cost':
      throw problem(
        'parameter_invalid',
        `The parameter keep is more than one of the tickets and memberships cost: at most ${moneyText(requested.mostMinor, requested.currency)}. Nothing was changed.`,
        { param: 'keep' },
      );
    case 'return_missing':
      throw problem(
        'parameter_missing',
        'This order was paid at the counter. The parameter returned_by says how your staff return the money. Nothing was changed.',
        { param: 'returned_by' },
      );
    case 'return_needless':
      throw problem(
        'parameter_conflict',
        'The payment provider has charged this order, and returns the money. Send the request without returned_by.',
        { param: 'returned_by' },
      );
    case 'already_refunded':
      throw alreadyRefunded(requested);
  }
}

function alreadyRefunded({ ticketIds, memberIds }: Extract<RequestedRefund, { outcome: 'already_refunded' }>): Problem {
  const taken = [
    ...(ticketIds.length > 0 ? [`Tickets ${ticketIds.join(', ')}`] : []),
    ...(memberIds.length > 0 ? [`Memberships of ${memberIds.join(', ')}`] : []),
  ];
  const what = taken.length === 0 ? 'Nothing is left to refund' : `${taken.join(' and ')} cannot be refunded`;
  const param = ticketIds.length > 0 ? 'ticket_ids' : 'membership_member_ids';
  const message = `${what}: refunded already, or a refund is pending. Nothing was changed. List the refunds of the order.`;
  return problem('ticket_already_refunded', message, taken.length === 0 ? {} : { param });
}
