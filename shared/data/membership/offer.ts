import * as v from 'valibot';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { typeStockIndex } from '../../domain/baskets/stock-moves.ts';
import { idText } from '../../domain/ids.ts';
import { fromThousandths } from '../../domain/money.ts';
import { followCapacity } from '../prices/follow-capacity.ts';
import { getItem } from '../table/get-item.ts';
import { type ConfigKind, type ItemKey, membershipConfigKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
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
    type.capacity === null
      ? null
      : followCapacity(
          table,
          orgId,
          { eventId: typeId, index: typeStockIndex },
          { capacity: type.capacity, what: capacityName },
        ),
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

/** As an error names what others change at the same time. */
const capacityName = 'capacity of this membership type';

const configKeyOf = (orgId: string, kind: ConfigKind, id: number): ItemKey =>
  membershipConfigKey(orgId, kind, idText(id));
