import type { Clock } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { type StripeApi, StripeKeyRefused } from './stripe-api.ts';

interface KeySource {
  /** What stands in the secret now. */
  readKey(): Promise<string>;
  apiOf(key: string): StripeApi;
  readonly clock: Clock;
}

/** A wrong key in the secret is not read anew for every buyer. */
const pauseMs = 60_000;

/**
 * Stripe by the key that stands in the secret. It is read at the beginning, and again when Stripe does not know it any more: an
 * instance lives for hours, and somebody has rolled the key. What was refused was certainly not done, so it is asked once more.
 */
export async function stripeApiWithKeyReload({ readKey, apiOf, clock }: KeySource): Promise<StripeApi> {
  let key = await readKey();
  let current = apiOf(key);
  let readMs = clock.nowMs();
  let reload = Promise.resolve();

  async function reloadKey(): Promise<void> {
    try {
      const now = await readKey();
      if (now === key) return;
      key = now;
      current = apiOf(now);
    } catch (error) {
      log.warn('The Stripe key could not be read again', reasonOf(error));
    }
  }

  /** Another one than was refused; undefined when there is none. */
  async function apiAfterReload(refused: StripeApi): Promise<StripeApi | undefined> {
    if (refused === current && clock.nowMs() - readMs >= pauseMs) {
      readMs = clock.nowMs();
      reload = reloadKey();
    }
    await reload;
    return refused === current ? undefined : current;
  }

  return async (call, signal) => {
    const used = current;
    try {
      return await used(call, signal);
    } catch (error) {
      const reloaded = error instanceof StripeKeyRefused ? await apiAfterReload(used) : undefined;
      if (reloaded === undefined) throw error;
      return reloaded(call, signal);
    }
  };
}
