import type { SalesChannel } from '../../../domain/baskets/basket.ts';
import type { HandledBy, ReceivedKind, RequestedTender, ReturnedBy } from '../../../domain/orders/tender.ts';
import type { CheckOutBasketBody } from '../../../operations/baskets/check-out-basket.ts';
import type { OpenBasketBody } from '../../../operations/baskets/open-basket.ts';
import { type Problem, problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** Where a basket is opened. Only the staff of an organisation open one at the counter. */
export function channelOf({ channel }: OpenBasketBody, caller: Caller): SalesChannel {
  if (channel === 'counter') needCounter(caller, 'channel');
  return channel;
}

type CounterBody = Pick<CheckOutBasketBody, 'tender' | 'customer' | 'payment_method' | 'membership_payment_option_id'>;

/** The tender of a checkout; undefined if it is paid by a payment. A text of blanks says nothing. */
export function tenderOf(body: CounterBody, caller: Caller, nowUnix: number): RequestedTender | undefined {
  const { tender } = body;
  if (tender === undefined) {
    if (body.customer !== undefined) return undefined;
    const message = 'The parameter customer is required: only a tender of the counter sells to nobody in particular.';
    throw problem('parameter_missing', message, { param: 'customer' });
  }
  needCounter(caller, 'tender');
  if (body.payment_method !== null) throw conflict('payment_method');
  if (body.membership_payment_option_id !== null) throw conflict('membership_payment_option_id');
  const { kind, received } = tender;
  if (received !== null && kind !== 'cash') {
    const message = 'The parameter tender.received is only for cash: nobody gives change of anything else.';
    throw problem('parameter_conflict', message, { param: 'tender.received' });
  }
  const reason = tender.reason?.trim() || null;
  checkReason(kind, reason);
  return {
    kind,
    received,
    ...(reason !== null && { reason }),
    ...handledBy(tender),
    ...invoiceOf(body, nowUnix),
  };
}

interface SentHandling {
  readonly reference: string | null;
  readonly station: string | null;
  readonly operator: string | null;
}

/** Who took or returned money. A text of blanks says nothing. */
export function handledBy({ reference, station, operator }: SentHandling): HandledBy {
  return { reference: reference?.trim() || null, station: station?.trim() || null, operator: operator?.trim() || null };
}

const maxDueSeconds = 366 * 86_400;

/** When an invoice is due, and from when on its tickets admit. No other kind says so. */
function invoiceOf({ tender, customer }: CounterBody, nowUnix: number): Pick<RequestedTender, 'dueUnix' | 'valid'> {
  if (tender === undefined) return {};
  const { kind, due_unix: dueUnix, valid } = tender;
  if (kind !== 'invoice') {
    if (dueUnix === null && valid === null) return {};
    const param = dueUnix === null ? 'tender.valid' : 'tender.due_unix';
    throw problem('parameter_conflict', `The parameter ${param} is only for the kind invoice.`, { param });
  }
  if (customer === undefined) {
    throw problem('customer_required', 'An invoice needs a customer: somebody owes it.', { param: 'customer' });
  }
  const param = 'tender.due_unix';
  if (dueUnix === null)
    throw problem('parameter_missing', `The parameter ${param} is required: say when the invoice is due.`, { param });
  if (dueUnix <= nowUnix || dueUnix > nowUnix + maxDueSeconds) {
    const message = `The parameter ${param} must be after now (${nowUnix}) and at most a year from now (${nowUnix + maxDueSeconds}).`;
    throw problem('parameter_invalid', message, { param });
  }
  return { dueUnix, ...(valid === 'when_paid' && { valid }) };
}

function checkReason(kind: RequestedTender['kind'], reason: string | null): void {
  if (kind === 'complimentary' && reason === null) {
    const message = 'The parameter tender.reason is required: say why it is complimentary.';
    throw problem('parameter_missing', message, { param: 'tender.reason' });
  }
  if (kind !== 'complimentary' && reason !== null) {
    const message = 'The parameter tender.reason is only for the kind complimentary.';
    throw problem('parameter_conflict', message, { param: 'tender.reason' });
  }
}

/** Who hands the money of a refund over; undefined if nobody does. */
export function returnedByOf(
  { returned_by: kind, ...handling }: SentHandling & { readonly returned_by: ReceivedKind | null },
  caller: Caller,
): ReturnedBy | undefined {
  if (kind === null) return undefined;
  needCounter(caller, 'returned_by');
  return { kind, ...handledBy(handling) };
}

function needCounter({ scopes }: Caller, param: string): void {
  if (scopes.includes('counter')) return;
  throw problem('scope_missing', `The parameter ${param} requires an API key with the scope counter.`, { param });
}

function conflict(param: 'payment_method' | 'membership_payment_option_id'): Problem {
  const message = `The parameter tender cannot be combined with ${param}: a tender pays for the whole basket at once.`;
  return problem('parameter_conflict', message, { param: 'tender' });
}
