import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import Stripe from 'stripe';
import { drawMs, type Latency } from '../../local/cloud/dynamodb/physics/random.ts';
import { Bucket } from '../../local/cloud/dynamodb/physics/throughput.ts';
import {
  cancel,
  confirm,
  failure,
  type Intent,
  newIntent,
  type StripeResponse,
  shown,
  succeed,
  success,
} from '../../tools/fixtures/stripe-intents.ts';
import type { SimulatedClock } from './simulated-process.ts';

/** Assumed: what a call to Stripe takes, from the function and back. */
const latency: Latency = { medianMs: 600, p99Ms: 3_000 };
/** A refusal for too many calls comes at once. */
const refusalMs = 60;
/** One call in four hundred is not answered. Half of these are carried out. */
const unansweredShare = 1 / 400;

/** While Stripe has an outage, four calls in five are not answered. */
const outageShare = 4 / 5;

export interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Stripe in simulated time, behind the HTTP client of its library: latency, the rate limit, and calls without an answer. What
 * the functions do about these is their own code. It is installed for the whole process, like the clock.
 */
export class SimulatedStripe {
  readonly intents = new Map<string, Intent>();
  readonly refunded = new Set<string>();
  requests = 0;
  refused = 0;
  /** Charges that were paid by a call without an answer. */
  unanswered = 0;
  onRequest = (): void => {};
  readonly #clock: SimulatedClock;
  readonly #bucket: Bucket;
  readonly #outage: Outage | undefined;
  readonly #answers = new Map<string, StripeResponse>();

  constructor(clock: SimulatedClock, requestsPerSecond: number, outage?: Outage) {
    this.#clock = clock;
    this.#outage = outage;
    this.#bucket = new Bucket(requestsPerSecond, clock.time.nowMs());
    Object.assign(process.env, { PAYMENTS: 'arn:simulated', STRIPE_PUBLISHABLE_KEY: 'pk_test_simulated' });
    SecretsManagerClient.prototype.send = async () => ({ SecretString: 'sk_test_simulated' });
    const client = { getClientName: () => 'simulated', makeRequest: this.#makeRequest };
    Object.assign(Reflect.get(Stripe, '_platformFunctions'), { createDefaultHttpClient: () => client });
  }

  /** The buyer pays with Stripe's component. Returns whether the payment can still be paid. */
  pay(clientSecret: string): Intent | undefined {
    const intent = this.intents.get(clientSecret.replace(/_secret_double$/, ''));
    if (intent?.status !== 'requires_payment_method') return undefined;
    succeed(intent);
    return intent;
  }

  /** The orders that buyers have paid for, without those whose money went back. */
  paidOrders(): readonly string[] {
    const paid = [...this.intents.values()].filter(
      ({ id, status }) => status === 'succeeded' && !this.refunded.has(id),
    );
    return paid.map(({ metadata }) => String(metadata.gateline_order));
  }

  readonly #makeRequest = async (
    ...[, , path, method, headers, body, , timeoutMs]: readonly [
      host: string,
      port: string,
      path: string,
      method: string,
      headers: Readonly<Record<string, string>>,
      body: string,
      protocol: string,
      timeoutMs: number,
    ]
  ) => {
    const { time, random } = this.#clock;
    this.requests += 1;
    this.onRequest();
    if (!this.#bucket.hasUnits(time.nowMs())) {
      this.refused += 1;
      await time.sleep(refusalMs);
      return answerOf(failure(429, { code: 'rate_limit' }));
    }
    this.#bucket.take(1);
    const isUnanswered = random() < (this.#isOut() ? outageShare : unansweredShare);
    const isCarriedOut = !isUnanswered || random() < 0.5;
    if (isUnanswered && isCarriedOut && path.endsWith('/confirm')) this.unanswered += 1;
    const durationMs = isUnanswered ? timeoutMs : drawMs(latency, random);
    await time.sleep(Math.min(durationMs, timeoutMs) / 2);
    const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
    const result = isCarriedOut
      ? this.#once(key, () => this.#route(`${method} ${path}`, String(body ?? '')))
      : undefined;
    await time.sleep(Math.min(durationMs, timeoutMs) / 2);
    if (isUnanswered || result === undefined || durationMs >= timeoutMs) throw Stripe.HttpClient.makeTimeoutError();
    return answerOf(result);
  };

  #isOut(): boolean {
    const nowMs = this.#clock.time.nowMs();
    return this.#outage !== undefined && nowMs >= this.#outage.fromMs && nowMs < this.#outage.untilMs;
  }

  /** The first answer to an idempotency key is repeated. */
  #once(key: string | undefined, call: () => StripeResponse): StripeResponse {
    const result = (key !== undefined && this.#answers.get(key)) || call();
    if (key !== undefined) this.#answers.set(key, result);
    return result;
  }

  #route(call: string, body: string): StripeResponse {
    if (call === 'POST /v1/payment_intents') return this.#create(new URLSearchParams(body));
    if (call.startsWith('GET /v1/refunds')) return success({ object: 'list', data: [], has_more: false });
    if (call === 'POST /v1/refunds') return this.#refund(new URLSearchParams(body));
    const [, id = '', action] = /^\w+ \/v1\/payment_intents\/([^/?]+)\/?(\w*)/.exec(call) ?? [];
    const intent = this.intents.get(id);
    if (intent === undefined) return failure(404, { code: 'resource_missing' });
    if (action === 'confirm') return confirm(intent, new URLSearchParams(body));
    return action === 'cancel' ? cancel(intent) : success(shown(intent));
  }

  #refund(fields: URLSearchParams): StripeResponse {
    const id = fields.get('payment_intent') ?? '';
    this.refunded.add(id);
    return success({ id: `re_${id}`, object: 'refund', payment_intent: id, status: 'succeeded' });
  }

  #create(fields: URLSearchParams): StripeResponse {
    const intent = newIntent(`pi_${this.intents.size + 1}`, 'acct_simulated', fields);
    this.intents.set(intent.id, intent);
    return success(shown(intent));
  }
}

/** The response as the library's own client gives it. */
function answerOf({ status, body }: StripeResponse) {
  return {
    getStatusCode: () => status,
    getHeaders: () => ({ 'content-type': 'application/json' }),
    getRawResponse: () => ({}),
    toStream: () => undefined,
    toJSON: async () => structuredClone(body),
  };
}
