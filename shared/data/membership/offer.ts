import * as v from 'valibot';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { typeStockIndex } from '../../domain/baskets/stock-moves.ts';
import { idText } from '../../domain/ids.ts';
import { fromThousandths } from '../../domain/money.ts';
import { slicesOf } from '../../domain/prices/slices.ts';
import { lowerCapacity, stockOf } from '../prices/capacity.ts';
import { changeCapacity, stockItems } from '../prices/stock.ts';
import { getItem } from '../table/get-item.ts';
import { type ConfigKind, type ItemKey, membershipConfigKey, stockKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { CategoryRecord, TypeRecord } from './config-rows.ts';

export interface FoundMembershipOffer extends MembershipOffer {
  /** Whether everyone may know of the type. To a storefront token, any other type looks like a missing one. */
  readonly isInCatalogue: boolean;
}

/** Returns a membership type as it is sold now; undefined if the organisation has no such type. */
export async function readMembershipOffer(
  table: Table,
  orgId: string,
  typeId: number,
): Promise<FoundMembershipOffer | undefined> {
  const item = await getItem(table, configKeyOf(orgId, 'type', typeId), { consistent: true });
  if (item === undefined) return undefined;
  const type = v.parse(TypeRecord, item);
  const [categoryItem, stockSlices] = await Promise.all([
    getItem(table, configKeyOf(orgId, 'category', type.categoryId), { consistent: true }),
    type.capacity === null ? null : typeStockSlices(table, orgId, { typeId, capacity: type.capacity }),
  ]);
  const category = categoryItem && v.parse(CategoryRecord, categoryItem);
  const isActive = type.status === 1 && category?.status === 1;
  const showOnline = type.showOnline === 1 && category?.showOnline === 1;
  return {
    type: { ...type, price: fromThousandths(type.priceThousandths), isActive, showOnline },
    categoryTitle: category?.title ?? '',
    stockSlices,
    isInCatalogue: isActive && showOnline,
  };
}

const StoredStock = v.object({ capacity: v.number(), slices: v.optional(v.number(), 1) });

/**
 * Returns how many slices the stock of a type has. The stock follows the capacity when a membership is bought next: so it is the
 * same whoever has changed the type, and what was sold stays sold. A capacity below that sells nothing until it is reached.
 * It is never deleted, so that baskets can return what they hold.
 */
function typeStockSlices(
  table: Table,
  orgId: string,
  { typeId, capacity }: { readonly typeId: number; readonly capacity: number },
): Promise<number> {
  const ref = { eventId: typeId, index: typeStockIndex };
  return retryRaces('capacity of this membership type', async () => {
    const item = await getItem(table, stockKey(orgId, ref.eventId, ref.index), { consistent: true });
    const known = item && v.parse(StoredStock, item);
    if (known?.capacity === capacity) return known.slices;
    const stockSlices = Math.max(known?.slices ?? 1, slicesOf(capacity));
    const stock = { ...ref, version: 1, stockSlices, stockVersion: 0 };
    if (known === undefined) {
      const items = stockItems(orgId, stock, { avail: capacity, capacity });
      const puts = items.map((Item) => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      }));
      return (await transact(table, puts)).length === 0 ? stockSlices : undefined;
    }
    const to = await reachable(table, orgId, ref, capacity);
    if (to === known.capacity) return known.slices;
    if (to === undefined) return undefined;
    const refused = await transact(table, changeCapacity(table, orgId, stock, { from: known.capacity, to }));
    return refused.length === 0 ? stockSlices : undefined;
  });
}

/** The capacity that the stock can have: not less than what is held and sold. Undefined if the stock has changed meanwhile. */
async function reachable(
  table: Table,
  orgId: string,
  ref: { readonly eventId: number; readonly index: number },
  capacity: number,
): Promise<number | undefined> {
  const stock = await stockOf(table, orgId, ref);
  if (stock === undefined || capacity >= stock.capacity) return capacity;
  const to = Math.max(capacity, stock.capacity - stock.avail);
  return (await lowerCapacity(table, orgId, ref, { stock, capacity: to })) === 'possible' ? to : undefined;
}

const configKeyOf = (orgId: string, kind: ConfigKind, id: number): ItemKey =>
  membershipConfigKey(orgId, kind, idText(id));
