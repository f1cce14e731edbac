import { createHash } from 'node:crypto';
import { type EventDraft, wantedEvent, writeEvent } from '../data/events/save.ts';
import { savePhases } from '../data/phases/phases.ts';
import { type PricedEvent, readPricedEvent } from '../data/prices/read.ts';
import { savePool } from '../data/prices/save-pool.ts';
import { savePrice } from '../data/prices/save-price.ts';
import { savePriceCategory } from '../data/prices/save-price-category.ts';
import { readStock } from '../data/prices/stock.ts';
import { derivedEventId, derivedPriceCategoryId } from '../data/table/derived-id.ts';
import type { Table } from '../data/table/table.ts';
import type { SideEffects } from '../data/table/transact.ts';
import { draftStatus, type EventRecord } from '../domain/events/event.ts';
import { movedPhases } from '../domain/phases/phase.ts';
import type { Stock } from '../domain/prices/price.ts';
import { localDaysBetween, localDaysLater } from '../domain/time/local-time.ts';
import { Fault } from '../platform/fault.ts';
import { slugOf } from './save-event.ts';
import { draftFields } from './save-price.ts';
import { seatsJobPuts, withSeatsJob } from './seats-job.ts';

interface Copy {
  readonly title: string | null;
  readonly startUnix: number;
  /** Null: one that follows from the event, the title and the start. */
  readonly code: string | null;
}

export type CopiedEvent =
  | { readonly outcome: 'copied'; readonly event: EventRecord }
  | { readonly outcome: 'missing' | 'code_taken' };

/**
 * Copies an event with its categories, pools, prices and phases to another start, as a draft. Times of the sale move
 * by as many days as the start and keep their local time of day. The copy is written row by row, and a row that exists is left alone: the same call completes a copy that was interrupted.
 */
export async function copyEvent(
  table: Table,
  orgId: string,
  eventId: number,
  {
    sideEffects,
    nowUnix,
    ...copy
  }: Copy & { nowUnix: number; sideEffects: SideEffects<{ readonly after: EventRecord }> },
): Promise<CopiedEvent> {
  const source = await readPricedEvent(table, orgId, eventId, { consistent: true });
  if (source === undefined) return { outcome: 'missing' };
  const wanted = wantedCopy(source.event, copy);
  const saved = await writeEvent(table, orgId, derivedEventId(orgId, wanted.code), {
    rule: async (before) => {
      if (before === undefined) {
        return { wanted: await withSeatsJob(table, orgId, undefined, wantedEvent(orgId, undefined, wanted)) };
      }
      const isCopy = before.copiedFrom === eventId && before.code === wanted.code;
      return isCopy ? { wanted: before } : { refusal: 'code_taken' as const };
    },
    sideEffects: (change) => [...sideEffects(change), ...seatsJobPuts(table, orgId, change, nowUnix)],
  });
  if ('refusal' in saved) return { outcome: saved.refusal };
  await copyPrices(table, orgId, { source, event: saved.event, stocks: await readStock(table, orgId, eventId) });
  return { outcome: 'copied', event: saved.event };
}

function wantedCopy(
  {
    eventId,
    soldOut: _s,
    cancelledUnix: _c,
    wasPublished: _p,
    version: _v,
    seatsUsed: _u,
    seatsJobId: _j,
    ...source
  }: EventRecord,
  copy: Copy,
): EventDraft {
  const title = copy.title ?? source.title;
  const code = copy.code ?? copyCode(eventId, title, copy.startUnix);
  const urlString = slugOf(title, code);
  return { ...source, code, title, urlString, startUnix: copy.startUnix, statusId: draftStatus, copiedFrom: eventId };
}

/** The same copy has the same code, so a call that is repeated after a lost response makes no second one. */
function copyCode(eventId: number, title: string, startUnix: number): string {
  const hash = createHash('sha256').update(JSON.stringify([eventId, title, startUnix]));
  return `copy-${hash.digest('base64url').slice(0, 12)}`;
}

interface Prices {
  readonly source: PricedEvent;
  readonly event: EventRecord;
  readonly stocks: ReadonlyMap<number, Stock>;
}

const onlyNew = { expected: 0 };

async function copyPrices(table: Table, orgId: string, { source, event, stocks }: Prices): Promise<void> {
  const { eventId, currency } = event;
  const moved = movedTo(source.event, event);
  for (const { code, title, status, orderBy, zone } of source.categories.values()) {
    await savePriceCategory(table, orgId, { eventId, code, title, status, orderBy, zone }, onlyNew);
  }
  // In the order of their numbers, which the copies get too: pools count down, prices up.
  for (const { index, code, title } of [...source.pools.values()].toSorted((one, other) => other.index - one.index)) {
    await savePool(table, orgId, { eventId, code, title, capacity: stocks.get(index)?.capacity ?? 0 }, onlyNew);
  }
  for (const price of source.prices.toSorted((one, other) => one.index - other.index)) {
    const category = source.categories.get(price.categoryId);
    if (category === undefined) throw new Fault(`The category of price ${price.priceId} does not exist.`);
    const draft = {
      ...draftFields(price),
      eventId,
      currency,
      categoryId: derivedPriceCategoryId(orgId, eventId, category.code),
      availableFromUnix: moved(price.availableFromUnix),
      availableUntilUnix: moved(price.availableUntilUnix),
      capacity: stocks.get(price.index)?.capacity ?? null,
      // No campaign reveals the copy yet, and it must not be open to everyone.
      showOnline: price.showOnline && !source.revealedBy.has(price.index),
    };
    const saved = await savePrice(table, orgId, draft, onlyNew);
    if (!('price' in saved) && saved.outcome !== 'version_changed') {
      throw new Fault(`Price ${price.priceId} cannot be copied: ${saved.outcome}.`);
    }
  }
  await copyPhases(table, orgId, { source, event });
}

/** The copies of prices have the numbers that the phases name. Phases that exist are left alone. */
async function copyPhases(
  table: Table,
  orgId: string,
  { source, event }: Pick<Prices, 'source' | 'event'>,
): Promise<void> {
  const { phases: known } = source;
  if (known === undefined || known.phases.length === 0) return;
  const phases = movedPhases(known.phases, movedTo(source.event, event));
  const after = { eventId: event.eventId, phases, lastNumber: known.lastNumber, version: 1 };
  await savePhases(table, orgId, { before: undefined, after });
}

/** What becomes of a time of the sale. One that is the start stays the start. */
function movedTo(source: EventRecord, { startUnix, timezone }: EventRecord): (unix: number | null) => number | null {
  const days = localDaysBetween(source.startUnix, startUnix, timezone);
  return (unix) => {
    if (unix === null) return null;
    return unix === source.startUnix ? startUnix : Math.max(0, localDaysLater(unix, days, timezone));
  };
}
