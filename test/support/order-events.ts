import { expect } from 'vitest';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { type FoundHint, overdueHints } from '../../shared/data/table/due-hints.ts';
import type { TestCheckoutDeps } from './baskets.ts';
import { announcedOf } from './feed.ts';

const farFutureUnix = Date.UTC(2100, 0, 1) / 1000;

/** All hints of an organisation for one of the sweepers, due or not. */
export async function hintsOf(
  { table, orgId }: Pick<TestCheckoutDeps, 'table' | 'orgId'>,
  kind: FoundHint['kind'],
): Promise<FoundHint[]> {
  const found: FoundHint[] = [];
  for await (const hints of overdueHints(table, kind, farFutureUnix)) {
    found.push(...hints.filter(({ ref }) => ref[0] === orgId));
  }
  return found;
}

/** Checks that the event of the order has its hint, so a sweeper publishes it if the stream does not. */
export async function expectEventHinted(deps: TestCheckoutDeps, basketId: number, about?: string): Promise<void> {
  const basket = await readBasket(deps.table, deps.orgId, basketId);
  if (basket?.status !== 'checked_out') return;
  const announced = await announcedOf(deps.table, deps.orgId);
  const completed = announced.find(({ type }) => type === 'order.completed');
  const ofEvent = (await hintsOf(deps, 'outbox')).filter(({ ref }) => ref[1] === completed?.id);
  expect(ofEvent.length, `hints of the event ${about ?? ''}`).toBe(1);
}
