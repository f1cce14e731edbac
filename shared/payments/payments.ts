import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import type { PaymentProvider } from './provider.ts';

/** The way to the payment providers. */
export interface Payments {
  /** The one that new payments are made with. */
  current(): Promise<PaymentProvider>;
  /** The one that a payment was made with, which may have been another; undefined where it cannot be asked from here. */
  byName(name: string): Promise<PaymentProvider | undefined>;
  /** How long it may take to move money, or to tell what became of it. */
  readonly timeoutMs: number;
}

/** Checkouts wait this long and no longer; their function has time for it. */
export const paymentTimeoutMs = 10_000;

/** What the provider answers, or `unknown` when it does not answer in time, or not at all. */
export async function callProvider<Answer>(
  provider: PaymentProvider | undefined,
  timeoutMs: number,
  call: (provider: PaymentProvider, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | 'unknown'> {
  if (provider === undefined) return 'unknown';
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await Promise.race([call(provider, signal), aborted(signal)]);
  } catch (error) {
    log.warn('The payment provider did not respond', { provider: provider.name, ...reasonOf(error) });
    return 'unknown';
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
