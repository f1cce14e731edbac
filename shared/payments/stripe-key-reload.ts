import type { Clock } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { type StripeClient, StripeKeyRefused } from './stripe-client.ts';

interface KeySource {
  /** Reads the current key from the secret. */
  readKey(): Promise<string>;
  clientOf(key: string): Promise<StripeClient>;
  readonly clock: Clock;
}

/** The minimum time between two reads, so a wrong key in the secret is not read again for every buyer. */
const pauseMs = 60_000;

/**
 * A Stripe client with the key from the secret. The key is read at the start, and again when Stripe rejects it: an instance
 * lives for hours, and an operator may rotate the key. A call with a rejected key had no effect, so it is repeated once.
 */
export async function stripeClientWithKeyReload({ readKey, clientOf, clock }: KeySource): Promise<StripeClient> {
  let key = await readKey();
  let current = await clientOf(key);
  let readMs = clock.nowMs();
  let reload = Promise.resolve();

  async function reloadKey(): Promise<void> {
    try {
      const now = await readKey();
      if (now === key) return;
      current = await clientOf(now);
      key = now;
    } catch (error) {
      log.warn('The Stripe key could not be read again', reasonOf(error));
    }
  }

  /** A client with a newer key than the rejected one; undefined when there is none. */
  async function clientAfterReload(refused: StripeClient): Promise<StripeClient | undefined> {
    if (refused === current && clock.nowMs() - readMs >= pauseMs) {
      readMs = clock.nowMs();
      reload = reloadKey();
    }
    await reload;
    return refused === current ? undefined : current;
  }

  return async (call) => {
    const used = current;
    try {
      return await used(call);
    } catch (error) {
      const reloaded = error instanceof StripeKeyRefused ? await clientAfterReload(used) : undefined;
      if (reloaded === undefined) throw error;
      return reloaded(call);
    }
  };
}
