import { memberWrites } from '../data/members/change.ts';
import { newMember } from '../data/members/create.ts';
import { allocateMemberNumbers } from '../data/members/numbers.ts';
import { type MemberRecord, noContactDetails } from '../data/members/row.ts';
import { readTypesForMembers, type SoldTypeForMember } from '../data/membership/type-for-member.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import type { TransactItem } from '../data/table/transact.ts';
import { termPuts } from '../data/terms/terms.ts';
import type { Basket, Checkout } from '../domain/baskets/basket.ts';
import { isMembershipLine, type MembershipLine } from '../domain/baskets/line-item.ts';
import { type LineItemUnit, lineItemUnits } from '../domain/baskets/money.ts';
import type { CustomerRecord } from '../domain/customers/customer.ts';
import { termEndUnix } from '../domain/members/term.ts';
import { type OrderMembership, termIdOf } from '../domain/orders/membership.ts';
import type { OrderRecord } from '../domain/orders/order.ts';
import { Fault } from '../platform/fault.ts';
import type { CheckoutDeps } from './deps.ts';

/** What the new members of an order need besides the basket: their types, the time zone of their terms, and numbers. */
export interface MembershipFacts {
  readonly types: ReadonlyMap<number, SoldTypeForMember>;
  readonly timezone: string;
  readonly numbers: readonly string[];
}

const noMembers: MembershipFacts = { types: new Map(), timezone: 'UTC', numbers: [] };

function unitsOf({ lines, currency }: Basket): readonly LineItemUnit<MembershipLine>[] {
  return lines.filter(isMembershipLine).flatMap((line) => lineItemUnits(line, currency ?? ''));
}

/** Reads it for one attempt to write the order. A number that was refused is not allocated again. */
export async function readMembershipFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  attempt: number,
): Promise<MembershipFacts> {
  const units = unitsOf(basket);
  if (units.length === 0) return noMembers;
  const [types, organisation, numbers] = await Promise.all([
    readTypesForMembers(table, orgId, new Set(units.map(({ line }) => line.soldTypeId))),
    readOrganisation(table, orgId),
    allocateMemberNumbers(table, orgId, { members: units.length, takenNumbers: attempt - 1 }),
  ]);
  return { types, timezone: organisation?.timezone ?? noMembers.timezone, numbers };
}

/** The members that an order makes, each with what the order says of it. */
export interface NewMembers {
  readonly members: readonly MemberRecord[];
  readonly memberships: readonly OrderMembership[];
}

/** Returns the paid members of a paid basket. Without holders, the buyer is the member; an erased buyer leaves no name. */
export function newMembersOf(
  basket: Basket,
  { buyer }: Checkout,
  customer: CustomerRecord,
  { types, timezone, numbers, nowUnix }: MembershipFacts & { readonly nowUnix: number },
): NewMembers {
  const made = unitsOf(basket).map(({ line, holder, ...money }, index) => {
    const found = types.get(line.soldTypeId);
    if (found === undefined) throw new Fault(`The membership type ${line.soldTypeId} is missing.`);
    const { type, copiedFields } = found;
    const expiresUnix = termEndUnix(type, nowUnix, timezone);
    const { firstName, lastName } = holder ?? buyer ?? { firstName: null, lastName: null };
    const input = {
      // What a buyer does not say of a new member.
      ...noContactDetails,
      personId: null,
      typeId: type.typeId,
      userId: customer.userId,
      firstName,
      lastName,
      dateOfBirth: holder?.dateOfBirth ?? null,
      emailAddress: holder?.emailAddress ?? customer.emailAddress,
    };
    const member: MemberRecord = {
      ...newMember(input, { copiedFields, memberNumber: numbers[index] ?? null, nowUnix }),
      statusId: 1,
      expiresUnix,
      orderId: String(basket.basketId),
    };
    const membership: OrderMembership = {
      ...money,
      memberId: member.memberId,
      memberNumber: member.memberNumber,
      barcode: member.barcode,
      typeId: type.typeId,
      typeTitle: line.title,
      firstName,
      lastName,
      expiresUnix,
      termId: termIdOf(basket.basketId, index),
      lineId: line.lineId,
      ownStock: line.ownStock,
      status: 1,
    };
    return { member, membership };
  });
  return {
    members: made.map(({ member }) => member),
    memberships: made.map(({ membership }) => membership),
  };
}

/** The writes of the new members and their terms, for the transaction of the order. A type is checked once for all of its members. */
export function newMemberWrites(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { members, memberships }: NewMembers,
  { types, order }: Pick<MembershipFacts, 'types'> & { readonly order: OrderRecord },
): readonly TransactItem[] {
  const checks = new Map(
    [...types.values()].flatMap((type) =>
      type.checks.map((check) => [JSON.stringify(check.ConditionCheck?.Key), check] as const),
    ),
  );
  const terms = memberships.map(({ memberId, termId, typeId, expiresUnix, faceMinor, rebateMinor, discountMinor }) => ({
    termId,
    memberId,
    typeId,
    fromUnix: order.placedUnix,
    untilUnix: expiresUnix,
    orderId: order.orderId,
    currency: order.currency,
    priceMinor: faceMinor - rebateMinor - discountMinor,
    state: 'active' as const,
  }));
  return [
    ...members.flatMap((after) => memberWrites(table, orgId, { before: undefined, after })),
    ...checks.values(),
    ...termPuts(table, orgId, terms),
  ];
}
