import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import type { PaymentProvider } from './provider.ts';

/** Gives access to the payment providers. */
export interface Payments {
  /** The provider of new payments. */
  current(): Promise<PaymentProvider>;
  /** The provider of an earlier payment, which may be another one; undefined when it is not configured here. */
  byName(name: string): Promise<PaymentProvider | undefined>;
  /** The timeout of a call that moves money or asks for its outcome. */
  readonly timeoutMs: number;
}

/** A checkout waits this long. The timeout of its function allows it. */
export const paymentTimeoutMs = 10_000;

/** Calls the provider. Returns `unknown` when it fails or does not respond in time. */
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
    const text = signal.aborted
      ? 'The payment provider did not respond in time'
      : 'A call of the payment provider failed';
    log.warn(text, { provider: provider.name, ...reasonOf(error) });
    return 'unknown';
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
