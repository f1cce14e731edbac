import * as v from 'valibot';
import type { EventRecord } from '../../domain/events/event.ts';
import type { EventPhases } from '../../domain/phases/phase.ts';
import type { PoolRecord } from '../../domain/prices/pool.ts';
import type { PriceCategoryRecord, PriceRecord } from '../../domain/prices/price.ts';
import { parseEvent } from '../events/row.ts';
import { parsePhases } from '../phases/row.ts';
import { getItem } from '../table/get-item.ts';
import { phasesKey, poolKey, priceCategoryKey, pricedEventKey, priceKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import { parseCategory, parsePool, parsePrice } from './row.ts';

export interface PriceList {
  /** By categoryId. */
  readonly categories: ReadonlyMap<number, PriceCategoryRecord>;
  /** By index. */
  readonly pools: ReadonlyMap<number, PoolRecord>;
  /** Sorted by the order of their categories, then by their own. */
  readonly prices: readonly PriceRecord[];
  /** The code campaigns that reveal a price, by its index. Without a code of one of them, such a price is hidden. */
  readonly revealedBy: ReadonlyMap<number, readonly number[]>;
  /** Undefined if the event never had any. */
  readonly phases: EventPhases | undefined;
}

/** Returns all categories, pools and prices of an event. */
export async function readPriceList(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: ReadOptions = {},
): Promise<PriceList> {
  return priceListOf(await readPriceItems(table, orgId, eventId, consistent));
}

export interface PricedEvent extends PriceList {
  readonly event: EventRecord;
}

/** Returns an event with all its categories, pools and prices; undefined if it does not exist. */
export async function readPricedEvent(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: ReadOptions = {},
): Promise<PricedEvent | undefined> {
  const items = await readPriceItems(table, orgId, eventId, consistent);
  const { sk } = pricedEventKey(orgId, eventId);
  const event = items.find((item) => item.sk === sk);
  return event && { event: parseEvent(event), ...priceListOf(items) };
}

export type EventWithCategories = Omit<PricedEvent, 'prices'>;

/** Returns an event with its categories, pools and phases, without its prices, which are most of the rows; undefined if it does not exist. */
export async function readEventWithCategories(
  table: Table,
  orgId: string,
  eventId: number,
  { consistent = false }: ReadOptions = {},
): Promise<EventWithCategories | undefined> {
  const { pk, sk } = pricedEventKey(orgId, eventId);
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk < :prices',
    ExpressionAttributeValues: { ':pk': pk, ':prices': 'P#' },
    ConsistentRead: consistent,
  });
  const event = items.find((item) => item.sk === sk);
  if (event === undefined) return undefined;
  const { prices: _, ...others } = priceListOf(items);
  return { event: parseEvent(event), ...others };
}

type Item = Readonly<Record<string, unknown>>;

/** One Query is enough, because an event has at most 511 prices and pools. */
function readPriceItems(table: Table, orgId: string, eventId: number, consistent: boolean): Promise<Item[]> {
  const { pk } = pricedEventKey(orgId, eventId);
  return queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: consistent,
  });
}

const { sk: phasesSortKey } = phasesKey('', 0);

const RevealRow = v.object({ sk: v.string(), campaignId: v.number() });

function priceListOf(items: readonly Item[]): PriceList {
  const startsWith = (text: string) => items.filter(({ sk }) => String(sk).startsWith(text));
  const categories = new Map(
    startsWith('C#')
      .map(parseCategory)
      .map((category) => [category.categoryId, category]),
  );
  const pools = new Map(
    startsWith('L#')
      .map(parsePool)
      .map((pool) => [pool.index, pool]),
  );
  const reveals = startsWith('H#').map((item) => v.parse(RevealRow, item));
  const ofPrices = Map.groupBy(reveals, ({ sk }) => Number(sk.split('#')[1]));
  const revealedBy = new Map([...ofPrices].map(([index, rows]) => [index, rows.map(({ campaignId }) => campaignId)]));
  const phases = items.find(({ sk }) => sk === phasesSortKey);
  return {
    categories,
    pools,
    revealedBy,
    phases: phases && parsePhases(phases),
    prices: inOrder(startsWith('P#').map(parsePrice), categories),
  };
}

export async function readPrice(
  table: Table,
  orgId: string,
  { eventId, index }: { readonly eventId: number; readonly index: number },
): Promise<PriceRecord | undefined> {
  const item = await getItem(table, priceKey(orgId, eventId, index), { consistent: true });
  return item === undefined ? undefined : parsePrice(item);
}

export async function readPool(
  table: Table,
  orgId: string,
  { eventId, index }: { readonly eventId: number; readonly index: number },
): Promise<PoolRecord | undefined> {
  const item = await getItem(table, poolKey(orgId, eventId, index), { consistent: true });
  return item === undefined ? undefined : parsePool(item);
}

function inOrder(
  prices: readonly PriceRecord[],
  categories: ReadonlyMap<number, PriceCategoryRecord>,
): readonly PriceRecord[] {
  const sortKeyOf = ({ categoryId }: PriceRecord): number => categories.get(categoryId)?.orderBy ?? 0;
  return prices.toSorted(
    (one, other) =>
      sortKeyOf(one) - sortKeyOf(other) ||
      one.categoryId - other.categoryId ||
      one.orderBy - other.orderBy ||
      one.index - other.index,
  );
}

export async function readPriceCategory(
  table: Table,
  orgId: string,
  eventId: number,
  categoryId: number,
): Promise<PriceCategoryRecord | undefined> {
  const item = await getItem(table, priceCategoryKey(orgId, eventId, categoryId), { consistent: true });
  return item === undefined ? undefined : parseCategory(item);
}
