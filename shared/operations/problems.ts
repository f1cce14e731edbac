import { typedKeys } from '../domain/typed-keys.ts';
import { authenticationProblems, type ProblemTypes } from './authentication-problems.ts';
import { catalogueProblems } from './catalogue-problems.ts';
import { codeProblems } from './code-problems.ts';
import { counterProblems } from './counter-problems.ts';
import { listProblems } from './list-problems.ts';
import { membershipProblems } from './membership-problems.ts';
import { paymentProblems } from './payment-problems.ts';
import { phaseProblems } from './phase-problems.ts';
import { receiptProblems } from './receipt-problems.ts';
import { seatProblems } from './seat-problems.ts';
import { ticketProblems } from './ticket-problems.ts';
import { waitingListProblems } from './waiting-list-problems.ts';
import { withdrawalProblems } from './withdrawal-problems.ts';

/**
 * The closed list of error codes. A code always has the same status and type; the message of a response says what to change.
 */
export const problems = {
  parameter_unknown: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The operation does not accept this parameter.',
  },
  parameter_missing: { status: 400, type: 'invalid_request_error', meaning: 'A required parameter is missing.' },
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'A parameter has the wrong format or is out of range.',
  },
  parameter_repeated: { status: 400, type: 'invalid_request_error', meaning: 'A parameter was sent more than once.' },
  parameter_conflict: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'Two parameters cannot be combined.',
  },
  ...listProblems,
  resource_missing: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The body refers to an object that does not exist in the organisation.',
  },
  holder_missing: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'A price in the basket requires the name of every holder, and a name is missing.',
  },
  body_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The body is not valid JSON or form encoding.',
  },
  ...authenticationProblems,
  sso_user_not_linked: {
    status: 403,
    type: 'permission_error',
    meaning: 'The SSO user is not linked to a customer of the organisation.',
  },
  sso_email_not_verified: {
    status: 403,
    type: 'permission_error',
    meaning:
      'The SSO token has no verified email address, or its identity provider is not trusted with email addresses.',
  },
  membership_not_proven: {
    status: 403,
    type: 'permission_error',
    meaning:
      'A price in the basket is for members (paid, or paying by instalments) of a membership type, and the request does not prove that the buyer is one.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    meaning: 'The API key does not have the scope that this operation requires.',
  },
  resource_not_found: {
    status: 404,
    type: 'not_found_error',
    meaning: 'The organisation has no object with this id.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found_error',
    meaning: 'The path does not exist, or does not support this method.',
  },
  basket_expired: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The basket has expired and its tickets were released. At least 30 days after its end the basket is deleted, and then it is a 404.',
  },
  basket_cancelled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket was cancelled and its tickets were released.',
  },
  basket_already_checked_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket is already an order. Retrieve the basket to see the order.',
  },
  basket_empty: { status: 409, type: 'conflict_error', meaning: 'The basket has no items to check out.' },
  basket_full: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'A basket can hold at most 40 tickets, of at most 23 different prices and pools; with memberships, which are for at most 4 people, at most 10 tickets.',
  },
  ...codeProblems,
  ...phaseProblems,
  basket_held: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The organisation keeps the basket for somebody. Only an API key adds to it.',
  },
  hold_too_long: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket is held for longer than until the event starts.',
  },
  checkout_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A payment for the basket is in progress. The Retry-After header says when to retry.',
  },
  currency_mismatch: { status: 409, type: 'conflict_error', meaning: 'A basket can have one currency only.' },
  event_mismatch: { status: 409, type: 'conflict_error', meaning: 'A basket can hold tickets for one event only.' },
  sso_already_linked: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The SSO user is linked to another customer. Unlink the user first.',
  },
  sso_customer_missing: {
    status: 409,
    type: 'conflict_error',
    meaning: 'No customer of the organisation has the verified email address of the SSO user.',
  },
  sso_link_ambiguous: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Several customers of the organisation have the verified email address of the SSO user.',
  },
  ...ticketProblems,
  ...waitingListProblems,
  ...withdrawalProblems,
  ...membershipProblems,
  ...counterProblems,
  ...receiptProblems,
  price_not_on_sale: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The price is not on sale. The message says why.',
  },
  event_already_cancelled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event was cancelled before, with another `refund`.',
  },
  event_not_on_sale: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event is not published, was cancelled, or started more than 12 hours ago. Its tickets are not sold.',
  },
  event_not_open: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The event is a draft, cancelled or deleted, so its gates record no scans.',
  },
  ...catalogueProblems,
  nonce_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The nonce was already used for a different scan of the event.',
  },
  hold_limit_reached: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The baskets of this network address hold as many tickets as the storefront token allows.',
  },
  max_per_order_exceeded: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket would contain more of the price than one order may.',
  },
  max_per_member_exceeded: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The member would have more tickets of a price than one member may buy, in all orders together.',
  },
  idempotency_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The Idempotency-Key was already used with different parameters.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The first request with this Idempotency-Key is still in progress. The Retry-After header says when to retry.',
  },
  too_many_webhook_endpoints: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The organisation has reached its limit of webhook endpoints.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The webhook endpoint is disabled. Enable it first.',
  },
  replay_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning: 'An earlier replay to the webhook endpoint is still in progress.',
  },
  body_too_large: { status: 413, type: 'invalid_request_error', meaning: 'The body is larger than accepted.' },
  content_type_unsupported: {
    status: 415,
    type: 'invalid_request_error',
    meaning: 'The body is neither form-encoded nor JSON.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    meaning: 'A request limit is reached. The Retry-After header says when to retry.',
  },
  throttled: {
    status: 429,
    type: 'rate_limit_error',
    meaning:
      'Too many concurrent requests to the service, or too many requests from one IP address. The Retry-After header says when to retry.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    meaning: 'The service failed. Contact support with the request id.',
  },
  dependency_unavailable: {
    status: 503,
    type: 'api_error',
    meaning:
      'The service or a dependency of it is unavailable, or has no capacity left. The Retry-After header says when to retry. If the message says that the request may have succeeded, repeat it with the same Idempotency-Key.',
  },
  ...paymentProblems,
  ...seatProblems,
} as const satisfies ProblemTypes;

/** What a client does after a response that does not say whether the request took effect. */
export const repeatAdvice =
  'The request may have succeeded. Repeat a GET as it is, any other request with the same Idempotency-Key, or check before you send it again.';

export type ProblemCode = keyof typeof problems;

export const problemCodes = typedKeys(problems);
