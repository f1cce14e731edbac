import type { DeliveryDeps } from './delivery-deps.ts';

export async function waitUntil({ clock, sleep }: Pick<DeliveryDeps, 'clock' | 'sleep'>, ms: number): Promise<void> {
  const waitMs = ms - clock.nowMs();
  if (waitMs > 0) await sleep(waitMs);
}
