import { everyEvent } from '../../../shared/data/admin/every-event.ts';
import { priceByCode, savePrice } from '../../../shared/data/admin/save-price.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { derivedEventId, derivedId, derivedPriceCategoryId } from '../../../shared/data/table/derived-id.ts';
import { maxPrices } from '../../../shared/domain/prices/price.ts';
import { defineKind, type SaveResult, type Scope } from '../dataset.ts';
import { blankPrice, PriceRow, priceOfRow, priceRow } from './price-row.ts';

export const prices = defineKind({
  name: 'prices',
  things: 'prices',
  key: 'code',
  within: 'event_code',
  // Each takes the next number of its event.
  lane: 'event_code',
  schema: PriceRow,
  async open(scope) {
    const config = await readMembershipConfig(scope.table, scope.orgId);
    return {
      blank: blankPrice,
      async find(code, eventCode) {
        const price = await priceByCode(scope.table, scope.orgId, derivedEventId(scope.orgId, eventCode), code);
        if (price === undefined) return undefined;
        const [row] = await rowsOf(scope, eventCode, config, price.index);
        return row;
      },
      save: (row) => save(row, config, scope),
    };
  },
  async *rows(scope) {
    const config = await readMembershipConfig(scope.table, scope.orgId);
    for await (const { code } of everyEvent(scope.table, scope.orgId)) yield* await rowsOf(scope, code, config);
  },
});

/** The prices of an event, or the one with this index. */
async function rowsOf(
  { table, orgId }: Scope,
  eventCode: string,
  config: MembershipConfig,
  index?: number,
): Promise<PriceRow[]> {
  const eventId = derivedEventId(orgId, eventCode);
  const [list, stocks] = await Promise.all([
    readPriceList(table, orgId, eventId, { consistent: true }),
    readStock(table, orgId, eventId),
  ]);
  return list.prices
    .filter((price) => index === undefined || price.index === index)
    .map((price) =>
      priceRow(price, {
        event_code: eventCode,
        category_code: list.categories.get(price.categoryId)?.code ?? '',
        membership_type_code:
          price.membershipTypeId === null ? null : (config.types.get(price.membershipTypeId)?.code ?? null),
        capacity: stocks.get(price.index)?.capacity ?? 0,
      }),
    );
}

async function save(row: PriceRow, config: MembershipConfig, { table, orgId }: Scope): Promise<SaveResult> {
  const eventId = derivedEventId(orgId, row.event_code);
  const categoryId = derivedPriceCategoryId(orgId, eventId, row.category_code);
  const { categories } = await readPriceList(table, orgId, eventId, { consistent: true });
  if (!categories.has(categoryId)) {
    const event = await readEvent(table, orgId, eventId, { consistent: true });
    if (event === undefined) return { rejected: `event_code names no event: "${row.event_code}".` };
    return { rejected: `category_code names no price category of the event: "${row.category_code}".` };
  }
  const membershipTypeId =
    row.membership_type_code === null ? null : derivedId(orgId, 'type', row.membership_type_code);
  if (membershipTypeId !== null && !config.types.has(membershipTypeId)) {
    return { rejected: `membership_type_code names no membership type: "${row.membership_type_code}".` };
  }
  const contradiction = contradictionIn(row);
  if (contradiction !== undefined) return { rejected: contradiction };
  const saved = await savePrice(table, orgId, priceOfRow(row, { eventId, categoryId, membershipTypeId }));
  switch (saved.outcome) {
    case 'too_many_prices':
      return { rejected: `An event has at most ${maxPrices} prices.` };
    case 'capacity_taken':
      return { rejected: `capacity must be at least ${saved.taken}: so many tickets are held or sold already.` };
    default:
      return saved.outcome;
  }
}

function contradictionIn(row: PriceRow): string | undefined {
  if (row.rebate > row.price) return 'rebate must not be more than price.';
  const { available_from_unix: from, available_until_unix: until } = row;
  if (from !== null && until !== null && from >= until)
    return 'available_from_unix must be before available_until_unix.';
  return undefined;
}
