import type Stripe from 'stripe';
import { Fault } from '../platform/fault.ts';

/** A definite refusal: the call is invalid, we are not allowed to make it, or the card is declined. */
export interface StripeRefusal {
  readonly outcome: 'invalid' | 'forbidden' | 'declined';
  readonly code: string;
  readonly param: string | undefined;
  readonly message: string | undefined;
}
export type StripeResult<Answer> = { readonly outcome: 'done'; readonly body: Answer } | StripeRefusal;

/** Stripe rejected our API key, so the call had no effect. */
export class StripeKeyRefused extends Fault {}

/** Makes a call with Stripe's library. Throws when the outcome is unknown: no response, a server error, a rate limit. */
export type StripeClient = <Answer>(call: (stripe: Stripe) => Promise<Answer>) => Promise<StripeResult<Answer>>;

/** Where Stripe's API is. Tests have their own server. */
export interface StripeAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

/** The address in a URL. Without one, the library knows it. */
export function stripeAddress(url: string | undefined): Partial<StripeAddress> {
  if (url === undefined) return {};
  const { hostname: host, port, protocol } = new URL(url);
  return { host, port: Number(port), protocol: protocol === 'http:' ? 'http' : 'https' };
}

/** One retry opens a new connection when an idle one was closed. The sweeper decides about further retries. */
const settings = { maxNetworkRetries: 1, timeout: 8_000, telemetry: false } as const;

/**
 * Opens Stripe's library. It is loaded when the first payment needs it: it is larger than the rest of a function (ADR 31).
 * The version of the API is that of the library: it changes only with the package.
 */
export async function openStripeClient(
  secretKey: string,
  options: Partial<StripeAddress> & { readonly timeout?: number } = {},
): Promise<StripeClient> {
  const stripe = await openStripe(secretKey, options);
  return async (call) => {
    try {
      return { outcome: 'done', body: await call(stripe) };
    } catch (error) {
      return refusalOf(error);
    }
  };
}

async function openStripe(
  secretKey: string,
  options: Partial<StripeAddress> & { readonly timeout?: number } = {},
): Promise<Stripe> {
  const { default: Library } = await import('stripe');
  return new Library(secretKey, { ...settings, ...options });
}

/** The refusal that an error of the library reports. Throws if it reports none. */
function refusalOf(error: unknown): StripeRefusal {
  // The class of an error says its kind; the library is not loaded here, so its name is compared.
  const { type, statusCode, code, rawType, param, message } = errorFields(error);
  if (type === 'StripeAuthenticationError') throw new StripeKeyRefused(`Stripe returned 401 ${code ?? ''}`.trim());
  const outcome = outcomes[type ?? ''];
  if (outcome === undefined || statusCode === undefined) {
    throw new Fault(
      `Stripe returned ${statusCode ?? 'nothing'} ${code ?? rawType ?? type ?? 'without an error code'}.`,
      {
        cause: error,
      },
    );
  }
  return { outcome, code: code ?? rawType ?? type ?? 'unknown', param, message };
}

const outcomes: Readonly<Record<string, StripeRefusal['outcome']>> = {
  StripeCardError: 'declined',
  StripeInvalidRequestError: 'invalid',
  StripePermissionError: 'forbidden',
};

interface ErrorFields {
  readonly type?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly code?: string | undefined;
  readonly rawType?: string | undefined;
  readonly param?: string | undefined;
  readonly message?: string | undefined;
}

function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error) || !('type' in error)) throw error;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  const statusCode: unknown = Reflect.get(error, 'statusCode');
  return {
    type: text('type'),
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    code: text('code'),
    rawType: text('rawType'),
    param: text('param'),
    message: error.message,
  };
}
