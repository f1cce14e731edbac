import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { Fault } from '../platform/fault.ts';

/**
 * A definite refusal: the call is invalid, we are not allowed to make it, the card is declined, or Stripe has too many calls and
 * did not process this one.
 */
export interface StripeRefusal {
  readonly outcome: 'invalid' | 'forbidden' | 'declined' | 'busy';
  readonly code: string;
  /** Why the bank declined. */
  readonly declineCode?: string | undefined;
  readonly param: string | undefined;
  readonly message: string | undefined;
}
export type StripeResult<Answer> = { readonly outcome: 'done'; readonly body: Answer } | StripeRefusal;

/** Stripe rejected our API key, so the call had no effect. */
export class StripeKeyRefused extends Fault {}

/** Makes a call with Stripe's library. Throws when the outcome is unknown: no response, a server error. */
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

/** The pauses before a call is repeated that met Stripe's rate limit. With them it ends before any caller stops waiting. */
const busyPausesMs: readonly number[] = [250, 500, 1_000, 2_000];

interface ClientOptions extends Partial<StripeAddress> {
  readonly timeout?: number;
  readonly busyPausesMs?: readonly number[];
}

/**
 * Opens Stripe's library. It is loaded when the first payment needs it: it is larger than the rest of a function (ADR 31).
 * The version of the API is that of the library: it changes only with the package.
 */
export async function openStripeClient(
  secretKey: string,
  { busyPausesMs: pausesMs = busyPausesMs, ...options }: ClientOptions = {},
): Promise<StripeClient> {
  const { default: Library } = await import('stripe');
  const stripe = new Library(secretKey, { ...settings, ...options });
  const sent = new AsyncLocalStorage<{ requests: number }>();
  stripe.on('request', () => {
    const counted = sent.getStore();
    if (counted !== undefined) counted.requests += 1;
  });
  return (call) => {
    const counted = { requests: 0 };
    const send = async (limited: number): ReturnType<typeof attempt> => {
      try {
        return await attempt();
      } catch (error) {
        // Stripe has processed nothing if it refused every request. One that the library repeated may have been processed.
        if (!isRateLimit(error) || counted.requests !== limited) return refusalOf(error);
        const pauseMs = pausesMs[limited - 1];
        if (pauseMs === undefined) return busy;
        await sleep(pauseMs);
        return send(limited + 1);
      }
    };
    const attempt = async (): Promise<StripeResult<Awaited<ReturnType<typeof call>>>> => ({
      outcome: 'done',
      body: await sent.run(counted, () => call(stripe)),
    });
    return send(1);
  };
}

const busy: StripeRefusal = { outcome: 'busy', code: 'rate_limit', param: undefined, message: undefined };

function isRateLimit(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'StripeRateLimitError';
}

/** The refusal that an error of the library reports. Throws if it reports none. */
function refusalOf(error: unknown): StripeRefusal {
  // The class of an error says its kind; the library is not loaded here, so its name is compared.
  const { type, statusCode, code, declineCode, rawType, param, message } = errorFields(error);
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
  return { outcome, code: code ?? rawType ?? type ?? 'unknown', declineCode, param, message };
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
  readonly declineCode?: string | undefined;
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
    // Empty if the bank gave none.
    declineCode: text('decline_code') || undefined,
    rawType: text('rawType'),
    param: text('param'),
    message: error.message,
  };
}
