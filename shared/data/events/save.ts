import type { EventFields, EventRecord } from '../../domain/events/event.ts';
import { Fault } from '../../platform/fault.ts';
import { positionChangePut } from '../positions/change.ts';
import { derivedEventId } from '../table/derived-id.ts';
import { diffItems } from '../table/diff-items.ts';
import { priceKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { noSideEffects, type SideEffects, type TransactItem, transact } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';
import { eventPositions } from './positions.ts';
import { readEvent } from './read.ts';
import { eventRow, eventViews } from './row.ts';

export interface EventDraft extends EventFields {
  readonly code: string;
  readonly copiedFrom?: number | undefined;
  readonly metadata?: EventRecord['metadata'];
}

export interface SavedEvent {
  /** `currency_fixed`: the event has prices, whose amounts would change with its currency. Nothing was written. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'currency_fixed';
  readonly event: EventRecord;
}

const consistent = { consistent: true } as const;

/** Creates the event with this code, or changes it. Saving the same values again writes nothing. */
export async function saveEvent(table: Table, orgId: string, { code, ...fields }: EventDraft): Promise<SavedEvent> {
  const saved = await writeEvent<never>(table, orgId, derivedEventId(orgId, code), {
    rule: async (before) => ({ wanted: wantedEvent(orgId, before, { ...fields, code }) }),
  });
  if ('refusal' in saved) throw new Fault('An event without rules was refused.');
  return saved;
}

/** The record with these fields: a new one, or the current one with changes. */
export function wantedEvent(orgId: string, before: EventRecord | undefined, draft: EventDraft): EventRecord {
  if (before !== undefined && before.code !== draft.code) {
    throw new Fault(`The codes "${draft.code}" and "${before.code}" result in the same id. Change one of them.`);
  }
  const eventId = derivedEventId(orgId, draft.code);
  const isNew = { eventId, soldOut: false, cancelledUnix: null, seatsUsed: false, seatsJobId: null, version: 1 };
  const current = before ?? isNew;
  // A cancelled event stays closed.
  return {
    ...current,
    ...draft,
    ...(before !== undefined && current.cancelledUnix !== null && { statusId: before.statusId }),
  };
}

/** Changes an existing event. */
export function changeEvent(
  table: Table,
  orgId: string,
  eventId: number,
  change: (event: EventRecord) => EventRecord,
): Promise<SavedEvent | 'missing'> {
  return retryRaces('event', async () => {
    const before = await readEvent(table, orgId, eventId, consistent);
    return before === undefined ? 'missing' : write(table, orgId, { before, wanted: change(before) });
  });
}

/** A change of an event, as its webhook announces it. */
export interface EventChange {
  readonly before: EventRecord | undefined;
  readonly after: EventRecord;
}

/** What is wanted of an event; undefined for one that cannot be saved: the rule then says why. */
export type EventRule<Refusal> = (
  before: EventRecord | undefined,
) => Promise<WantedEvent | { readonly refusal: Refusal }>;

export interface WantedEvent {
  readonly wanted: EventRecord;
  /** What must be written in the same transaction. If it is refused, the rule is asked again. */
  readonly items?: readonly TransactItem[];
}

interface EventWrite<Refusal> {
  readonly rule: EventRule<Refusal>;
  readonly tried?: TriedWrites;
  readonly sideEffects?: SideEffects<EventChange>;
  /** Decides, and writes nothing. */
  readonly dryRun?: boolean;
}

/** Creates or changes an event as the rule decides. The rule is asked again if somebody else changed the event meanwhile. */
export function writeEvent<Refusal>(
  table: Table,
  orgId: string,
  eventId: number,
  { rule, tried = new TriedWrites(), sideEffects = noSideEffects, dryRun = false }: EventWrite<Refusal>,
): Promise<SavedEvent | { readonly refusal: Refusal }> {
  return retryRaces('event', async () => {
    const before = await readEvent(table, orgId, eventId, consistent);
    const decided = await rule(before);
    if ('refusal' in decided) return decided;
    const { wanted, items = [] } = decided;
    if (dryRun) return { outcome: 'unchanged', event: wanted };
    const kind = before === undefined ? 'created' : 'updated';
    if (before !== undefined && isSameRecord(before, wanted)) return { outcome: 'unchanged', event: before };
    return tried.send(kind, () => write(table, orgId, { before, wanted, also: items, sideEffects }));
  });
}

interface WantedChange {
  readonly before: EventRecord | undefined;
  readonly wanted: EventRecord;
  readonly also?: readonly TransactItem[];
  readonly sideEffects?: SideEffects<EventChange>;
}

/**
 * Writes the row, its views and the change of its positions in one transaction, on the condition that the row has not changed since it was read. The views
 * need no condition, because the row in the same transaction has one. Returns undefined if another writer changed the row.
 */
async function write(
  table: Table,
  orgId: string,
  { before, wanted, also = [], sideEffects = noSideEffects }: WantedChange,
): Promise<SavedEvent | undefined> {
  if (before !== undefined && isSameRecord(before, wanted)) return { outcome: 'unchanged', event: before };
  const event = { ...wanted, version: (before?.version ?? 0) + 1 };
  const views = diffItems(eventViews(orgId, event), before && eventViews(orgId, before));
  const TableName = table.name;
  const items = [
    { Put: { TableName, Item: eventRow(orgId, event), ...unchangedSince(before) } },
    ...views.put.map((Item) => ({ Put: { TableName, Item } })),
    ...views.remove.map((Key) => ({ Delete: { TableName, Key } })),
    ...(before === undefined || before.currency === event.currency
      ? []
      : [{ ...hasNoPrice(table, orgId, event), label: 'currency' }]),
    ...positionChangePut(table, orgId, 'events', {
      id: event.eventId,
      version: event.version,
      before: before && eventPositions(before),
      after: eventPositions(event),
    }),
    ...also,
  ];
  const refused = await transact(table, items, sideEffects({ before, after: event }));
  if (refused.length === 0) return { outcome: before === undefined ? 'created' : 'updated', event };
  const isRowRefused = refused.some(({ label }) => label !== 'currency');
  return before === undefined || isRowRefused ? undefined : currencyFixed(before);
}

function currencyFixed(event: EventRecord): SavedEvent {
  return { outcome: 'currency_fixed', event };
}

/** The first price of an event has index 1, and prices are never deleted. */
function hasNoPrice(table: Table, orgId: string, { eventId }: EventRecord): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: priceKey(orgId, eventId, 1),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
