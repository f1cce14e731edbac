import { type PriceDraft, savePrice } from '../../shared/data/admin/save-price.ts';
import { type PriceCategoryDraft, savePriceCategory } from '../../shared/data/admin/save-price-category.ts';
import { eventPositions } from '../../shared/data/events/positions.ts';
import { eventItems } from '../../shared/data/events/row.ts';
import { type EventDraft, saveEvent } from '../../shared/data/events/save.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import type { PriceCategoryRecord, PriceRecord } from '../../shared/domain/prices/price.ts';
import { creationChange } from './position-trees.ts';
import { putItems } from './put-items.ts';

/** An event that starts then is on sale, however far a test moves the clock. */
export const farFutureUnix = Date.UTC(2200, 0, 1) / 1000;

/** Saturday 14 November 2026, 7:30 pm in Melbourne. */
export const kickOffUnix = Date.UTC(2026, 10, 14, 8, 30) / 1000;

let made = 0;

/** A published match; a test sets what it needs. */
export function anEvent(changes: Partial<EventDraft> = {}): EventDraft {
  made += 1;
  const code = changes.code ?? `event-${made}`;
  return {
    code,
    title: `Match ${made}`,
    venueId: null,
    venueName: null,
    onlineEvent: false,
    urlString: code,
    buyTicketsUrl: null,
    currency: 'AUD',
    publicEvent: true,
    reservedSeating: false,
    startUnix: kickOffUnix,
    timezone: 'Australia/Melbourne',
    statusId: 1,
    bannerImage: null,
    seatMapId: null,
    ...changes,
  };
}

/** Writes events directly in batches. */
export async function givenEvents(
  table: Table,
  orgId: string,
  drafts: readonly Partial<EventDraft>[],
): Promise<readonly EventRecord[]> {
  const events = drafts.map((draft) => {
    const event = anEvent(draft);
    return { ...event, eventId: derivedEventId(orgId, event.code), soldOut: false, version: 1 };
  });
  await putItems(
    table,
    events.flatMap((event) => [
      ...eventItems(orgId, event),
      ...creationChange(orgId, 'events', event.eventId, eventPositions(event)),
    ]),
  );
  return events;
}

/** An event, saved as the service saves one. */
export async function givenEvent(table: Table, orgId: string, changes: Partial<EventDraft> = {}): Promise<EventRecord> {
  return (await saveEvent(table, orgId, anEvent(changes))).event;
}

export async function givenPriceCategory(
  table: Table,
  orgId: string,
  draft: Partial<PriceCategoryDraft> & Pick<PriceCategoryDraft, 'eventId'>,
): Promise<PriceCategoryRecord> {
  const code = draft.code ?? 'east';
  const complete: PriceCategoryDraft = { code, title: `Stand ${code}`, status: 'active', orderBy: 0, ...draft };
  return (await savePriceCategory(table, orgId, complete)).category;
}

/** A price of 30.00 with fees of 2.15, and a hundred tickets of it. */
export async function givenPrice(
  table: Table,
  orgId: string,
  draft: Partial<PriceDraft> & Pick<PriceDraft, 'eventId' | 'categoryId'>,
): Promise<PriceRecord> {
  made += 1;
  const saved = await savePrice(table, orgId, {
    code: `price-${made}`,
    title: `Price ${made}`,
    priceMinor: 3_000,
    rebateMinor: 0,
    serviceFeeMinor: 195,
    serviceTaxMinor: 20,
    availableFromUnix: null,
    availableUntilUnix: null,
    membershipTypeId: null,
    showOnline: true,
    showBoxoffice: true,
    status: 'active',
    ticketsIncluded: 1,
    scanningFlag: 0,
    maxPerOrder: null,
    maxPerMember: null,
    orderBy: 0,
    capacity: 100,
    currency: 'AUD',
    ...draft,
  });
  if (!('price' in saved)) throw new Error(`The price was not saved: ${saved.outcome}`);
  return saved.price;
}
