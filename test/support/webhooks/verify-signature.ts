import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { Arrival } from './receiver.ts';

/** What arrived, judged as a receiver would: with the package that everybody uses, at the time that it is there. */
export function verified({ body, headers }: Pick<Arrival, 'body' | 'headers'>, secret: string, nowMs: number): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    vi.useRealTimers();
  }
}
