import { type PriceRefusal, savePrice } from '../../../shared/catalogue/save-price.ts';
import { everyEvent } from '../../../shared/data/admin/read-all.ts';
import { countEvents } from '../../../shared/data/admin/totals.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readPricedEvent } from '../../../shared/data/prices/read.ts';
import { priceByCode } from '../../../shared/data/prices/save-price.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { derivedEventId, derivedId, derivedPriceCategoryId } from '../../../shared/data/table/derived-id.ts';
import type { TriedWrites } from '../../../shared/data/table/tried-writes.ts';
import type { Contradiction } from '../../../shared/domain/prices/contradiction.ts';
import { maxPrices } from '../../../shared/domain/prices/price.ts';
import { defineDataset, type SaveResult, type TransferContext } from '../dataset.ts';
import { amountProblem, PriceRow, priceDefaults, priceOfRow, priceRow, selfCancelProblem } from './price-row.ts';

export const prices = defineDataset({
  name: 'prices',
  plural: 'prices',
  key: 'code',
  parentKey: 'event_code',
  // Each new price takes the next index of its event.
  serialBy: 'event_code',
  schema: PriceRow,
  async open(context) {
    const config = await readMembershipConfig(context.table, context.orgId);
    return {
      defaults: priceDefaults,
      async find(code, eventCode) {
        const price = await priceByCode(context.table, context.orgId, derivedEventId(context.orgId, eventCode), code);
        if (price === undefined) return undefined;
        const [row] = await rowsOf(context, eventCode, config, price.index);
        return row;
      },
      save: (row, _isGiven, tried) => save(row, { config, tried }, context),
    };
  },
  total: ({ table, orgId }) => countEvents(table, orgId),
  countsParents: true,
  async *rows(context) {
    const config = await readMembershipConfig(context.table, context.orgId);
    for await (const { code } of everyEvent(context.table, context.orgId)) yield* await rowsOf(context, code, config);
  },
});

/** The prices of an event, or only the one with this index. */
async function rowsOf(
  { table, orgId }: TransferContext,
  eventCode: string,
  config: MembershipConfig,
  index?: number,
): Promise<PriceRow[]> {
  const eventId = derivedEventId(orgId, eventCode);
  const [list, stocks] = await Promise.all([
    readPricedEvent(table, orgId, eventId, { consistent: true }),
    readStock(table, orgId, eventId),
  ]);
  if (list === undefined) return [];
  return list.prices
    .filter((price) => index === undefined || price.index === index)
    .map((price) =>
      priceRow(price, list.event.currency, {
        event_code: eventCode,
        category_code: list.categories.get(price.categoryId)?.code ?? '',
        membership_type_code:
          price.membershipTypeId === null ? null : (config.types.get(price.membershipTypeId)?.code ?? null),
        pool_code: price.poolIndex === null ? null : (list.pools.get(price.poolIndex)?.code ?? null),
        capacity: stocks.get(price.index)?.capacity ?? null,
      }),
    );
}

async function save(
  row: PriceRow,
  { config, tried }: { readonly config: MembershipConfig; readonly tried: TriedWrites },
  { table, orgId }: TransferContext,
): Promise<SaveResult> {
  const eventId = derivedEventId(orgId, row.event_code);
  const pricedEvent = await readPricedEvent(table, orgId, eventId, { consistent: true });
  if (pricedEvent === undefined) return { rejected: rejection.event_missing(row) };
  const { event, pools } = pricedEvent;
  const categoryId = derivedPriceCategoryId(orgId, eventId, row.category_code);
  const membershipTypeId =
    row.membership_type_code === null ? null : derivedId(orgId, 'type', row.membership_type_code);
  const pool = [...pools.values()].find(({ code }) => code === row.pool_code);
  if (!pricedEvent.categories.has(categoryId)) return { rejected: rejection.category_missing(row) };
  if (membershipTypeId !== null && !config.types.has(membershipTypeId)) {
    return { rejected: rejection.membership_type_missing(row) };
  }
  if (row.pool_code !== null && pool === undefined) return { rejected: rejection.pool_missing(row) };
  const problem = amountProblem(row, event.currency) ?? selfCancelProblem(row);
  if (problem !== undefined) return { rejected: problem };
  const referred = { eventId, categoryId, membershipTypeId, poolIndex: pool?.index ?? null };
  const saved = await savePrice(table, orgId, priceOfRow(row, event.currency, referred), { tried });
  if ('price' in saved) return saved.outcome;
  if (saved.outcome === 'contradiction') return { rejected: contradictions[saved.field] };
  return { rejected: rejection[saved.outcome](row, 'taken' in saved ? saved.taken : 0) };
}

type Rejected = Exclude<PriceRefusal['outcome'], 'contradiction'>;

const rejection: Readonly<Record<Rejected, (row: PriceRow, taken?: number) => string>> = {
  event_missing: (row) => `event_code "${row.event_code}" does not exist.`,
  price_missing: () => 'The price does not exist.',
  category_missing: (row) => `category_code "${row.category_code}" does not exist in the event.`,
  membership_type_missing: (row) => `membership_type_code "${row.membership_type_code}" does not exist.`,
  pool_missing: (row) => `pool_code "${row.pool_code}" does not exist in the event.`,
  too_many_prices: () => `An event has at most ${maxPrices} prices and pools.`,
  capacity_missing: () => 'capacity is missing: only a price with pool_code can do without.',
  stocks_taken: (_row, taken) =>
    `pool_code, and whether there is a capacity, cannot change while ${taken} tickets are held or sold.`,
  currency_changed: () => 'The currency of the event changed meanwhile. Import the row again.',
  capacity_taken: (_row, taken) => `capacity must be at least ${taken}, the number of tickets that are held or sold.`,
  version_changed: () => 'The price changed meanwhile. Import the row again.',
};

const contradictions: Readonly<Record<Contradiction, string>> = {
  rebate: 'rebate must not be more than price.',
  available_from_unix: 'available_from_unix must be before available_until_unix.',
  max_per_member: 'max_per_member needs membership_type_code: only members have a limit.',
};
