import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { Arrival } from './receiver.ts';

/** Verifies a request as a receiver does: with the standardwebhooks package, at the time of its machine. */
export function verifySignature(
  { body, headers }: Pick<Arrival, 'body' | 'headers'>,
  secret: string,
  nowMs = Date.now(),
): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    vi.useRealTimers();
  }
}
