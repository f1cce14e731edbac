/** The PaymentIntents of the Stripe double, and how its calls change them. */
export interface Intent {
  readonly id: string;
  readonly account: string;
  readonly amount: number;
  readonly currency: string;
  /** Null until the buyer chooses a method with Stripe's component. */
  method: string | null;
  readonly metadata: Record<string, string>;
  status: IntentStatus;
  amount_received: number;
  return_url: string | null;
  /** How the buyer paid, such as card, apple_pay or ideal. */
  kind: string | null;
  error: string | null;
}

export type IntentStatus =
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'requires_action'
  | 'succeeded'
  | 'canceled'
  | 'processing';

export interface StripeResponse {
  readonly status: number;
  readonly body: unknown;
}

export function succeed(intent: Intent, kind = 'card'): void {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.kind = kind;
}

export function confirm(intent: Intent, fields: URLSearchParams): StripeResponse {
  if (intent.status !== 'requires_confirmation') return unexpectedState();
  intent.return_url = fields.get('return_url');
  if (intent.method === 'pm_card_visa') {
    succeed(intent);
    return success(shown(intent));
  }
  if (intent.method === 'pm_card_threeDSecure2Required') {
    intent.status = 'requires_action';
    return success(shown(intent));
  }
  if (intent.method === 'pm_card_slow') {
    intent.status = 'processing';
    return success(shown(intent));
  }
  intent.status = 'requires_payment_method';
  intent.error = 'Your card was declined.';
  return failure(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
}

export function cancel(intent: Intent): StripeResponse {
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
    return unexpectedState();
  intent.status = 'canceled';
  return success(shown(intent));
}

function unexpectedState(): StripeResponse {
  return failure(400, { code: 'payment_intent_unexpected_state', message: 'This PaymentIntent cannot be changed now' });
}

export function shown({ id, amount, amount_received, currency, status, metadata, return_url, kind, error }: Intent) {
  const url = `https://hooks.stripe.com/redirect/${id}`;
  const action =
    return_url === null
      ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
      : { type: 'redirect_to_url', redirect_to_url: { url, return_url } };
  return {
    ...{ id, object: 'payment_intent', amount, amount_received, currency, status, metadata },
    client_secret: `${id}_secret_double`,
    next_action: status === 'requires_action' ? action : null,
    latest_charge: kind === null ? null : { id: `ch_${id}`, object: 'charge', payment_method_details: detailsOf(kind) },
    last_payment_error: error === null ? null : { message: error },
  };
}

/** Stripe shows the wallets of browsers and phones as cards. */
function detailsOf(kind: string) {
  const isWallet = kind.endsWith('_pay');
  return isWallet ? { type: 'card', card: { wallet: { type: kind } } } : { type: kind, [kind]: { wallet: null } };
}

export function metadataOf(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...fields].flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

export const unavailable = { type: 'api_error', code: 'not_now' };
export const success = (body: unknown): StripeResponse => ({ status: 200, body });
export const failure = (status: number, error: Record<string, unknown>): StripeResponse => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
});
