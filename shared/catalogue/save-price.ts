import { readMembershipTypes } from '../data/membership/config.ts';
import { stockOf } from '../data/prices/capacity.ts';
import { type PricedEvent, readPrice, readPricedEvent } from '../data/prices/read.ts';
import {
  type PriceChange,
  type PriceDraft,
  type RefusedPrice,
  type SavedPrice,
  savePrice as save,
} from '../data/prices/save-price.ts';
import { retryRaces } from '../data/table/retry.ts';
import type { SaveOptions } from '../data/table/save-options.ts';
import type { Table } from '../data/table/table.ts';
import type { WithMetadataChange } from '../domain/metadata.ts';
import { type Contradiction, contradictionIn } from '../domain/prices/contradiction.ts';
import type { PriceFields, PriceRecord } from '../domain/prices/price.ts';
import { isSoldOrHeld } from './sold-or-held.ts';

/** What a file or a client says about a price. */
export interface PriceValues extends PriceFields, WithMetadataChange {
  /** How many tickets exist, including held and sold ones. Null: as many as the pool has. */
  readonly capacity: number | null;
}

export type PriceRefusal =
  | { readonly outcome: 'event_missing' | 'price_missing' | 'category_missing' | 'membership_type_missing' }
  | { readonly outcome: 'contradiction'; readonly field: Contradiction }
  | RefusedPrice;

export type CheckedPrice = SavedPrice | PriceRefusal;

type Draft = PriceValues & Pick<PriceDraft, 'eventId' | 'code'>;

/** Creates the price with this code in its event, or changes it, after the checks that apply to every way of saving one. */
export async function savePrice(
  table: Table,
  orgId: string,
  draft: Draft,
  options: SaveOptions<PriceChange> = {},
): Promise<CheckedPrice> {
  const [priced, types] = await Promise.all([
    readPricedEvent(table, orgId, draft.eventId, { consistent: true }),
    draft.membershipTypeId === null ? undefined : readMembershipTypes(table, orgId),
  ]);
  if (priced === undefined) return { outcome: 'event_missing' };
  if (draft.membershipTypeId !== null && !types?.has(draft.membershipTypeId)) {
    return { outcome: 'membership_type_missing' };
  }
  const { currency, seatingMapId } = priced.event;
  const seatsOnly = seatingMapId !== null && draft.capacity === null && draft.poolIndex === null;
  const before = priced.prices.find(({ code }) => code === draft.code);
  // A price that only its seats limit has no stock that counts what is sold or held, so the whole event is checked.
  const isOther = before !== undefined && before.seatsOnly !== seatsOnly;
  if (isOther && (await isSoldOrHeld(table, orgId, priced.event))) return { outcome: 'stocks_taken', taken: 1 };
  return refusalOf(draft, priced) ?? save(table, orgId, { ...draft, seatsOnly, currency }, options);
}

function refusalOf(draft: Draft, { categories, pools }: PricedEvent): PriceRefusal | undefined {
  if (!categories.has(draft.categoryId)) return { outcome: 'category_missing' };
  if (draft.poolIndex !== null && !pools.has(draft.poolIndex)) return { outcome: 'pool_missing' };
  const field = contradictionIn(draft);
  return field && { outcome: 'contradiction', field };
}

/** Changes the given fields of a price. If somebody else changes the price meanwhile, the fields are applied to what it is then. */
export function updatePrice(
  table: Table,
  orgId: string,
  ref: Pick<PriceRecord, 'eventId' | 'index'>,
  {
    change,
    ifMatch,
    ...options
  }: SaveOptions<PriceChange> & { change: Partial<PriceValues>; ifMatch: number | undefined },
): Promise<CheckedPrice> {
  return retryRaces('price', async () => {
    const [before, stock] = await Promise.all([readPrice(table, orgId, ref), stockOf(table, orgId, ref)]);
    if (before === undefined) return { outcome: 'price_missing' };
    if (ifMatch !== undefined && ifMatch !== before.version) {
      return { outcome: 'version_changed', version: before.version };
    }
    const draft = { ...draftFields(before), capacity: stock?.capacity ?? null, ...change };
    const saved = await savePrice(table, orgId, draft, { ...options, expected: before.version });
    return saved.outcome === 'version_changed' ? undefined : saved;
  });
}

/** What a draft has of a record. The rest follows from the stock and from earlier changes. */
export function draftFields(price: PriceRecord) {
  const { index: _i, priceId: _p, ownStock: _o, stockSlices: _s, stockVersion: _v, version: _w, ...fields } = price;
  return fields;
}
