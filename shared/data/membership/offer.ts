import * as v from 'valibot';
import type { MembershipOffer } from '../../domain/baskets/membership-offer.ts';
import { stockRef } from '../../domain/baskets/stock-moves.ts';
import { idText } from '../../domain/ids.ts';
import { isActive } from '../../domain/membership/in-catalogue.ts';
import { fromThousandths } from '../../domain/money.ts';
import type { LinePayments } from '../../domain/plans/schedule.ts';
import { readOrganisation } from '../organisations/organisation.ts';
import { followCapacity } from '../prices/follow-capacity.ts';
import { getItem } from '../table/get-item.ts';
import { type ConfigKind, type ItemKey, membershipConfigKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readActivePaymentOptions } from './config.ts';
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
  const [categoryItem, stockSlices, payments] = await Promise.all([
    getItem(table, configKeyOf(orgId, 'category', type.categoryId), { consistent: true }),
    type.capacity === null
      ? null
      : followCapacity(table, orgId, stockRef({ kind: 'type', typeId }), {
          capacity: type.capacity,
          what: capacityName,
        }),
    paymentsOf(table, orgId, type),
  ]);
  const category = categoryItem && v.parse(CategoryRecord, categoryItem);
  const areActive = isActive(type) && category !== undefined && isActive(category);
  const showOnline = type.showOnline === 1 && category?.showOnline === 1;
  return {
    type: { ...type, price: fromThousandths(type.priceThousandths), isActive: areActive, showOnline },
    categoryTitle: category?.title ?? '',
    stockSlices,
    payments,
    isInCatalogue: areActive && showOnline,
  };
}

/** As an error names what others change at the same time. */
const capacityName = 'capacity of this membership type';

/** The payment options that buyers of a type can choose. One that renews itself needs a type to renew as. */
async function paymentsOf(table: Table, orgId: string, type: TypeRecord): Promise<LinePayments | null> {
  const { termMonths, expiresUnix, renewsAsTypeId, paymentOptionCodes: codes } = type;
  const isRenewable = renewsAsTypeId !== null || termMonths !== null;
  const [active, organisation] = await Promise.all([
    readActivePaymentOptions(table, orgId),
    readOrganisation(table, orgId),
  ]);
  const options = active
    .filter(({ code, autoRenewal }) => (autoRenewal === 0 || isRenewable) && (codes === null || codes.includes(code)))
    .map(({ code, title, numberOfInstalments, fixedEndUnix, autoRenewal }) => ({
      optionId: code,
      title,
      instalments: numberOfInstalments,
      fixedEndUnix,
      ...(autoRenewal === 1 && { autoRenewal: true }),
    }));
  return { timezone: organisation?.timezone ?? 'UTC', termMonths, expiresUnix, options };
}

const configKeyOf = (orgId: string, kind: ConfigKind, id: number): ItemKey =>
  membershipConfigKey(orgId, kind, idText(id));
