import { namesIn } from '../domain/names-in.ts';

/**
 * The closed list of what can go wrong. Each code always has the same status and type; the message says what to change.
 */
export const problems = {
  parameter_unknown: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'A parameter that the operation does not know.',
  },
  parameter_missing: { status: 400, type: 'invalid_request_error', meaning: 'A required parameter is absent.' },
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'A parameter has the wrong form or lies outside its bounds.',
  },
  parameter_repeated: { status: 400, type: 'invalid_request_error', meaning: 'A parameter was given more than once.' },
  parameter_conflict: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'Two parameters that do not go together.',
  },
  cursor_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The cursor was not given out by this list with these filters.',
  },
  too_many_members: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'More members than one response can carry; read them by cursor.',
  },
  resource_missing: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'A reference in the body names nothing that belongs to the organisation.',
  },
  body_invalid: {
    status: 400,
    type: 'invalid_request_error',
    meaning: 'The body is not well-formed JSON or form encoding.',
  },
  api_key_missing: { status: 401, type: 'authentication_error', meaning: 'No API key was sent.' },
  api_key_malformed: {
    status: 401,
    type: 'authentication_error',
    meaning: 'What was sent cannot be an API key: its form or checksum is wrong.',
  },
  api_key_invalid: { status: 401, type: 'authentication_error', meaning: 'The API key is unknown or was revoked.' },
  api_key_expired: { status: 401, type: 'authentication_error', meaning: 'The API key has expired.' },
  gate_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The gate token was issued for other gates or events.',
  },
  sso_token_missing: { status: 401, type: 'authentication_error', meaning: 'No token of an SSO user was sent.' },
  sso_token_invalid: {
    status: 401,
    type: 'authentication_error',
    meaning: "The SSO user's token has expired, or is not one of an identity provider of the organisation.",
  },
  sso_user_not_linked: {
    status: 403,
    type: 'permission_error',
    meaning: 'The SSO user is not linked to an account of the organisation.',
  },
  card_declined: {
    status: 402,
    type: 'payment_error',
    meaning: 'The payment was declined. Nothing was charged; another payment method may work.',
  },
  payment_refused: {
    status: 402,
    type: 'payment_error',
    meaning:
      'The payment provider does not take such a payment for the organisation, whatever it is paid with; the message names its reason.',
  },
  scope_missing: {
    status: 403,
    type: 'permission_error',
    meaning: 'The API key does not hold the scope of this operation.',
  },
  resource_not_found: {
    status: 404,
    type: 'not_found_error',
    meaning: 'Nothing with this id belongs to the organisation.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found_error',
    meaning: 'The service has no such path, or not with this method.',
  },
  basket_expired: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The time of the basket is over; it holds nothing any more.',
  },
  basket_cancelled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket was cancelled; it holds nothing any more.',
  },
  basket_already_checked_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket has become an order; retrieve the basket to see it.',
  },
  basket_empty: { status: 409, type: 'conflict_error', meaning: 'A basket without items cannot be checked out.' },
  basket_full: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A basket holds at most 40 tickets, of at most 30 prices.',
  },
  checkout_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The basket is being paid for; Retry-After says when to look again.',
  },
  event_mismatch: { status: 409, type: 'conflict_error', meaning: 'A basket holds tickets of one event only.' },
  membership_required: {
    status: 409,
    type: 'conflict_error',
    meaning: 'A price in the basket is for paid members of a membership type that the buyer does not hold.',
  },
  payment_account_missing: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The organisation has no account at the payment provider yet.',
  },
  price_not_on_sale: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The price cannot be bought here, or not at this time; the message says why.',
  },
  sold_out: {
    status: 409,
    type: 'conflict_error',
    meaning: 'Fewer tickets of the price are left than were asked for.',
  },
  nonce_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The nonce was used before for another reading of the event.',
  },
  idempotency_mismatch: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The Idempotency-Key was used before with other parameters.',
  },
  idempotency_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The first request with this Idempotency-Key has not ended yet; Retry-After says when to ask again.',
  },
  too_many_webhook_endpoints: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The organisation has as many webhook endpoints as it may have.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The webhook endpoint is disabled; enable it first.',
  },
  replay_in_progress: {
    status: 409,
    type: 'conflict_error',
    meaning: 'The webhook endpoint is being sent the events of an earlier replay.',
  },
  body_too_large: { status: 413, type: 'invalid_request_error', meaning: 'The body is over 1 MB.' },
  content_type_unsupported: {
    status: 415,
    type: 'invalid_request_error',
    meaning: 'The body is neither form-encoded nor JSON.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    meaning: 'One of the request limits is reached; Retry-After says for how long.',
  },
  throttled: {
    status: 429,
    type: 'rate_limit_error',
    meaning:
      'Too many requests at once, of all callers together or from one address; Retry-After says when to try again.',
  },
  internal_error: { status: 500, type: 'api_error', meaning: 'Our fault. The request id finds it in our log.' },
  dependency_unavailable: {
    status: 503,
    type: 'api_error',
    meaning: 'Something the service stands on is busy or away; Retry-After says when to try again.',
  },
  payment_unknown: {
    status: 503,
    type: 'api_error',
    meaning:
      'The payment provider did not answer in time. The basket stays held until it is known what became of the payment.',
  },
} as const satisfies Record<string, { status: number; type: ProblemType; meaning: string }>;

export type ProblemType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'payment_error'
  | 'rate_limit_error'
  | 'api_error';

export type ProblemCode = keyof typeof problems;

export const problemCodes = namesIn(problems);
