import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { Fault } from '../platform/fault.ts';
import { type StripeAddress, type StripeCall, type StripeResponse, stripeTransport } from './stripe-transport.ts';

const Failure = v.object({
  error: v.object({
    type: v.string(),
    code: v.optional(v.string()),
    param: v.optional(v.string()),
    message: v.optional(v.string()),
  }),
});
type Failure = v.InferOutput<typeof Failure>['error'];

/** A definite refusal: the call is invalid, we are not allowed to make it, or the card is declined. */
export type StripeRefusal = Failure & { readonly outcome: 'invalid' | 'forbidden' | 'declined' };
export type StripeResult = { readonly outcome: 'done'; readonly body: unknown } | StripeRefusal;

/** Stripe rejected our API key, so the call had no effect. */
export class StripeKeyRefused extends Fault {}

/** Throws when the outcome is unknown: no response, a server error, a rate limit, an idempotency key of another call. */
export type StripeApi = (call: StripeCall, signal: AbortSignal) => Promise<StripeResult>;

const liveAddress: StripeAddress = { host: 'api.stripe.com', port: 443, protocol: 'https' };
/** One retry opens a new connection when an idle one was closed. The sweeper decides about further retries. */
const retryPolicy = { tries: 2, tryMs: 8_000, pauseMs: 500 };

/** Our own client for the few Stripe calls that we need. Stripe's library is larger than the rest of a function (ADR 22). */
export function stripeApi(
  secretKey: string,
  address = liveAddress,
  { tries, tryMs, pauseMs } = retryPolicy,
): StripeApi {
  const transport = stripeTransport(secretKey, address);
  const callWithRetry = async (call: StripeCall, signal: AbortSignal, left: number): Promise<StripeResponse> => {
    try {
      const reply = await transport(call, AbortSignal.any([signal, AbortSignal.timeout(tryMs)]));
      if (left === 1 || !isRetryable(reply)) return reply;
    } catch (error) {
      if (left === 1 || signal.aborted) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
    return callWithRetry(call, signal, left - 1);
  };
  return async (call, signal) => parseResult(await callWithRetry(call, signal, tries));
}

function isRetryable({ status, shouldRetry }: StripeResponse): boolean {
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true';
  return status === 409 || status >= 500;
}

function parseResult({ status, text }: StripeResponse): StripeResult {
  const body = parseJson(text);
  if (status === 200 && body !== undefined) return { outcome: 'done', body };
  const failure = v.is(Failure, body) ? body.error : undefined;
  const outcome = failure && classifyRefusal(status, failure);
  if (failure && outcome) return { ...failure, outcome };
  const why = `Stripe returned ${status} ${failure?.code ?? failure?.type ?? 'without an error code'}.`;
  throw status === 401 ? new StripeKeyRefused(why) : new Fault(why);
}

function classifyRefusal(status: number, { type, code }: Failure): StripeRefusal['outcome'] | undefined {
  switch (status) {
    case 400:
    case 404:
      return code === 'rate_limit' || type === 'idempotency_error' ? undefined : 'invalid';
    case 402:
      return 'declined';
    case 403:
      return 'forbidden';
    default:
      return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
