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
import { readActivePaymentOptions, readTypesInOrder, type TypeInCategory } from './config.ts';
import { CategoryRecord, type PaymentOptionRecord, TypeRecord } from './config-rows.ts';

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
  const [categoryItem, stockSlices, paymentsOfType] = await Promise.all([
    getItem(table, configKeyOf(orgId, 'category', type.categoryId), { consistent: true }),
    type.capacity === null
      ? null
      : followCapacity(table, orgId, stockRef({ kind: 'type', typeId }), {
          capacity: type.capacity,
          what: capacityName,
        }),
    readPaymentsOf(table, orgId),
  ]);
  const category = categoryItem && v.parse(CategoryRecord, categoryItem);
  const offer = { ...offerOf({ type, category }), stockSlices, payments: paymentsOfType(type) };
  return { ...offer, isInCatalogue: offer.type.isActive && offer.type.showOnline };
}

function offerOf({ type, category }: TypeInCategory): Pick<MembershipOffer, 'type' | 'categoryTitle'> {
  const areActive = isActive(type) && category !== undefined && isActive(category);
  const showOnline = type.showOnline === 1 && category?.showOnline === 1;
  return {
    type: { ...type, price: fromThousandths(type.priceThousandths), isActive: areActive, showOnline },
    categoryTitle: category?.title ?? '',
  };
}

export interface OfferedType extends TypeInCategory {
  /** As if a basket had it alone. Nothing is known of its stock. */
  readonly offer: MembershipOffer;
}

/** All types in their order, with how they can be paid for. */
export async function readOfferedTypes(table: Table, orgId: string): Promise<readonly OfferedType[]> {
  const [types, paymentsOfType] = await Promise.all([readTypesInOrder(table, orgId), readPaymentsOf(table, orgId)]);
  return types.map((one) => ({
    ...one,
    offer: { ...offerOf(one), stockSlices: null, payments: paymentsOfType(one.type) },
  }));
}

/** As an error names what others change at the same time. */
const capacityName = 'capacity of this membership type';

async function readPaymentsOf(table: Table, orgId: string): Promise<(type: TypeRecord) => LinePayments> {
  const [active, organisation] = await Promise.all([
    readActivePaymentOptions(table, orgId),
    readOrganisation(table, orgId),
  ]);
  return (type) => paymentsOf(type, active, organisation?.timezone ?? 'UTC');
}

/** The payment options that buyers of a type can choose. One that renews itself needs a type to renew as. */
function paymentsOf(type: TypeRecord, active: readonly PaymentOptionRecord[], timezone: string): LinePayments {
  const { termMonths, expiresUnix, renewsAsTypeId, paymentOptionCodes: codes } = type;
  const isRenewable = renewsAsTypeId !== null || termMonths !== null;
  const options = active
    .filter(({ code, autoRenewal }) => (autoRenewal === 0 || isRenewable) && (codes === null || codes.includes(code)))
    .map(({ code, title, numberOfInstalments, fixedEndUnix, autoRenewal }) => ({
      optionId: code,
      title,
      instalments: numberOfInstalments,
      fixedEndUnix,
      ...(autoRenewal === 1 && { autoRenewal: true }),
    }));
  return { timezone, termMonths, expiresUnix, options };
}

const configKeyOf = (orgId: string, kind: ConfigKind, id: number): ItemKey =>
  membershipConfigKey(orgId, kind, idText(id));
