import { type MemberChange, memberWrites } from '../../data/members/change.ts';
import { newMember } from '../../data/members/create.ts';
import { allocateMemberNumbers } from '../../data/members/numbers.ts';
import { type MemberRecord, noContactDetails } from '../../data/members/row.ts';
import { readTypesForMembers, type SoldTypeForMember } from '../../data/membership/type-for-member.ts';
import { readOrganisation } from '../../data/organisations/organisation.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { termPuts } from '../../data/terms/terms.ts';
import { requiredMembershipTypes } from '../../domain/baskets/allow-buyer.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { areRenewalsCurrent, isRefundPending } from '../../domain/baskets/checkout.ts';
import { isMembershipLine, type MembershipLine } from '../../domain/baskets/line-item.ts';
import { type LineItemUnit, lineItemUnits } from '../../domain/baskets/money.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import type { TermDates } from '../../domain/members/next-term.ts';
import { instalmentsStatus, paidStatus } from '../../domain/members/status.ts';
import { type MemberBefore, type TermRecord, termEndUnix } from '../../domain/members/term.ts';
import { type OrderMembership, termIdOf } from '../../domain/orders/membership.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { isComplimentary } from '../../domain/orders/tender.ts';
import { autoRenewalIssuer, type RenewalRecord } from '../../domain/renewals/renewal.ts';
import { usesCountUntil, withdrawalEndUnix } from '../../domain/withdrawals/period.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps } from '../deps.ts';
import { readCreditWithdrawn, readRenewedMembers } from './facts.ts';
import { planIdsOf } from './plans-of-order.ts';
import { readRenewals, withAutoRenewal } from './renewals-of-order.ts';
import { beforeRenewal, renewalHints, renewedMember, termHints } from './renewed-member.ts';

/** What the members of an order need besides the basket: their types, the time zone of their terms, numbers, and who is renewed. */
export interface MembershipFacts {
  readonly types: ReadonlyMap<number, SoldTypeForMember>;
  readonly timezone: string;
  readonly numbers: readonly string[];
  readonly renewed: ReadonlyMap<number, MemberRecord>;
  readonly isCreditWithdrawn: boolean;
  /** The records of their auto-renewal, by id, if the order changes them. */
  readonly renewals: ReadonlyMap<number, RenewalRecord>;
}

const noMembers: MembershipFacts = {
  types: new Map(),
  timezone: 'UTC',
  numbers: [],
  renewed: new Map(),
  isCreditWithdrawn: false,
  renewals: new Map(),
};

interface MembershipUnit extends LineItemUnit<MembershipLine> {
  /** The member that is renewed; undefined if a new one is made. */
  readonly renewedId: number | undefined;
}

function unitsOf({ lines, currency }: Basket): readonly MembershipUnit[] {
  return lines.filter(isMembershipLine).flatMap((line) =>
    lineItemUnits(line, currency ?? '').map((unit, nth) => ({
      ...unit,
      renewedId: line.nextTerm?.members[nth]?.memberId,
    })),
  );
}

/** Reads it for one attempt to write the order. A number that was refused is not allocated again. */
export async function readMembershipFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  attempt: number,
): Promise<MembershipFacts> {
  const units = unitsOf(basket);
  if (units.length === 0) return noMembers;
  const members = units.filter(({ renewedId }) => renewedId === undefined).length;
  const [types, organisation, numbers, renewed, isCreditWithdrawn] = await Promise.all([
    readTypesForMembers(table, orgId, new Set(units.map(({ line }) => line.soldTypeId))),
    readOrganisation(table, orgId),
    members === 0 ? [] : allocateMemberNumbers(table, orgId, { members, takenNumbers: attempt - 1 }),
    readRenewedMembers({ table, orgId }, basket),
    readCreditWithdrawn({ table, orgId }, basket),
  ]);
  const renewals = await readRenewals({ table, orgId }, basket, renewed);
  const timezone = organisation?.timezone ?? noMembers.timezone;
  return { types, timezone, numbers, renewed, isCreditWithdrawn, renewals };
}

/** A member that an order makes or renews: its row before and after, its term, and what the order says of it. */
export interface SoldMember extends MemberChange {
  readonly dates: TermDates;
  readonly beforeTerm: MemberBefore | null;
  readonly replacesTermId: number | null;
  /** Whether it can be withdrawn from and proves prices of its own order from now on. */
  readonly provesPrices: boolean;
  readonly membership: OrderMembership;
}

interface Sale {
  readonly basket: Basket;
  readonly checkout: Checkout;
  readonly customer: CustomerRecord;
  readonly facts: MembershipFacts;
  readonly nowUnix: number;
}

/** Returns the paid members of a paid basket. Undefined if a member can no longer be renewed as it was sold. */
export function soldMembersOf(sale: Sale): readonly SoldMember[] | undefined {
  const { basket, checkout, facts } = sale;
  if (isRefundPending(basket, facts.renewed) || facts.isCreditWithdrawn) return undefined;
  if (!areRenewalsCurrent(basket, facts.renewed, checkout.plan ?? null)) return undefined;
  const numbers = [...facts.numbers];
  const units = unitsOf(basket);
  const sold = units.flatMap((unit, index) => {
    const memberNumber = unit.renewedId === undefined ? (numbers.shift() ?? null) : null;
    return soldMember(sale, unit, { memberNumber, termId: termIdOf(basket.basketId, index) }) ?? [];
  });
  return sold.length === units.length ? withAutoRenewal(sold, sale.checkout, sale.customer) : undefined;
}

/** Undefined if the term would add nothing to that of the member. */
function soldMember(
  sale: Sale,
  unit: MembershipUnit,
  { memberNumber, termId }: { readonly memberNumber: string | null; readonly termId: number },
): SoldMember | undefined {
  const { basket, checkout, customer, facts, nowUnix } = sale;
  const { line, holder: _, renewedId, ...money } = unit;
  const found = facts.types.get(line.soldTypeId);
  if (found === undefined) throw new Fault(`The membership type ${line.soldTypeId} is missing.`);
  const before = renewedId === undefined ? undefined : facts.renewed.get(renewedId);
  const made =
    before === undefined
      ? newMemberOf(sale, unit, found, memberNumber)
      : renewedMember(before, found, {
          change: line.nextTerm?.change ?? 'renews',
          day: line.nextTerm?.day,
          orderId: basket.basketId,
          timezone: facts.timezone,
          nowUnix,
        });
  if (made === undefined) return undefined;
  const { dates } = made;
  const planId = planIdsOf(basket, checkout).get(line.lineId) ?? null;
  const isAutoRenewal = checkout.fan?.issuer === autoRenewalIssuer;
  const { timezone } = facts;
  const withdrawalEndsUnix = withdrawalEndUnix(found.type, { isAutoRenewal, dates, nowUnix, timezone });
  const after: MemberRecord = {
    ...made.after,
    ...(planId !== null && { statusId: instalmentsStatus, instalments: true, planId }),
    ...(withdrawalEndsUnix !== undefined && {
      // A term that was sold before may be withdrawn from for longer.
      withdrawableUntilUnix: Math.max(before?.withdrawableUntilUnix ?? 0, usesCountUntil(withdrawalEndsUnix)),
    }),
  };
  // A payer who is another customer does not keep the name of the member: the erasure of the member would not find it there.
  const isNamed = after.userId === customer.userId && checkout.buyer !== null;
  const membership: OrderMembership = {
    ...money,
    memberId: after.memberId,
    memberNumber: after.memberNumber,
    barcode: after.barcode,
    typeId: line.soldTypeId,
    typeTitle: line.title,
    firstName: isNamed ? after.firstName : null,
    lastName: isNamed ? after.lastName : null,
    expiresUnix: dates.untilUnix,
    termId,
    lineId: line.lineId,
    ownStock: line.ownStock,
    status: 1,
    planId,
    ...(withdrawalEndsUnix !== undefined && { withdrawalEndsUnix }),
  };
  const renewed = line.nextTerm?.members.find(({ memberId }) => memberId === renewedId);
  const replacesTermId = renewed?.replacedTermId ?? null;
  const beforeTerm = before === undefined ? null : beforeRenewal(before);
  const provesPrices = isUsedAtOnce(sale, dates, membership);
  return { before, after, dates, beforeTerm, replacesTermId, provesPrices, membership };
}

function isUsedAtOnce(
  { basket, nowUnix }: Sale,
  { fromUnix }: TermDates,
  { typeId, withdrawalEndsUnix }: OrderMembership,
): boolean {
  return withdrawalEndsUnix !== undefined && fromUnix <= nowUnix && requiredMembershipTypes(basket).includes(typeId);
}

/** Without holders, the buyer is the member; an erased buyer leaves no name. */
function newMemberOf(
  { basket, checkout: { buyer }, customer, facts: { timezone }, nowUnix }: Sale,
  { holder }: MembershipUnit,
  { type, copiedFields }: SoldTypeForMember,
  memberNumber: string | null,
): { readonly after: MemberRecord; readonly dates: TermDates } {
  const { firstName, lastName } = holder ?? buyer ?? { firstName: null, lastName: null };
  const untilUnix = termEndUnix(type, nowUnix, timezone);
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
  const after: MemberRecord = {
    ...newMember(input, { copiedFields, memberNumber, nowUnix }),
    statusId: paidStatus,
    expiresUnix: untilUnix,
    orderId: String(basket.basketId),
  };
  return { after, dates: { fromUnix: nowUnix, untilUnix } };
}

/** The writes of the members and their terms, for the transaction of the order. A type is checked once for all of its members. */
export function soldMemberWrites(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  sold: readonly SoldMember[],
  { types, order }: Pick<MembershipFacts, 'types'> & { readonly order: OrderRecord },
): readonly TransactItem[] {
  const checks = new Map(
    [...types.values()].flatMap((type) =>
      type.checks.map((check) => [JSON.stringify(check.ConditionCheck?.Key), check] as const),
    ),
  );
  return [
    ...memberWrites(table, orgId, sold),
    ...checks.values(),
    ...termPuts(
      table,
      orgId,
      sold.map((one) => termOf(one, order)),
    ),
    ...termHints(table, orgId, order, sold),
    ...renewalHints(table, orgId, sold),
  ];
}

/** The term that an order has sold to a member. */
export function termOf(
  { dates, beforeTerm, replacesTermId, provesPrices, membership }: SoldMember,
  order: OrderRecord,
): TermRecord {
  const { memberId, termId, typeId, faceMinor, rebateMinor, discountMinor } = membership;
  return {
    termId,
    memberId,
    typeId,
    ...dates,
    orderId: order.orderId,
    currency: order.currency,
    priceMinor: faceMinor - rebateMinor - discountMinor,
    state: 'active',
    before: beforeTerm,
    replacesTermId,
    ...(isComplimentary(order) && { isComplimentary: true }),
    ...(provesPrices && { provesPrices }),
  };
}
