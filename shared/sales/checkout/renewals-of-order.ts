import type { MemberRecord } from '../../data/members/row.ts';
import { readRenewal, renewalPut } from '../../data/renewals/renewals.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { isComplimentary } from '../../domain/orders/tender.ts';
import { newRenewal, type RenewalRecord, switchRenewal } from '../../domain/renewals/renewal.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps } from '../deps.ts';

type TableDeps = Pick<CheckoutDeps, 'table' | 'orgId'>;

/** A member that an order sells, as far as auto-renewal needs it. */
interface RenewingMember {
  readonly after: MemberRecord;
  readonly membership: Pick<OrderMembership, 'lineId'>;
}

/** A person who was erased while paying has agreed to nothing that could be kept. */
const autoRenews = ({ plan, buyer }: Checkout): boolean => plan?.autoRenews === true && buyer !== null;

/**
 * The records of the members that an order renews, if it makes them renew themselves or ends that. One that a former owner has left has the id of its
 * first member still, although no member names it.
 */
export async function readRenewals(
  { table, orgId }: TableDeps,
  { checkout }: Basket,
  renewed: ReadonlyMap<number, MemberRecord>,
): Promise<ReadonlyMap<number, RenewalRecord>> {
  if (checkout === null || !(autoRenews(checkout) || isComplimentary(checkout))) return new Map();
  const ids = new Set([...renewed.values()].map(({ renewalId, memberId }) => renewalId ?? memberId));
  const found = await Promise.all([...ids].map((renewalId) => readRenewal(table, orgId, renewalId)));
  return new Map(found.flatMap((renewal) => (renewal === undefined ? [] : [[renewal.renewalId, renewal] as const])));
}

/**
 * The members of an order by whose payment option they renew themselves: those of a line have one record. Only the owner's card is
 * saved for that: who pays for the membership of another customer pays for one term. A complimentary membership never renews itself.
 */
export function withAutoRenewal<Sold extends RenewingMember>(
  sold: readonly Sold[],
  checkout: Checkout,
  { userId }: { readonly userId: number },
): readonly Sold[] {
  if (isComplimentary(checkout)) return sold.map((one) => ({ ...one, after: { ...one.after, autoRenew: false } }));
  if (!autoRenews(checkout)) return sold;
  return sold.map((one) => {
    if (one.after.userId !== userId) return one;
    const line = sold.filter(
      ({ membership, after }) => membership.lineId === one.membership.lineId && after.userId === userId,
    );
    const known = line.find(({ after }) => after.renewalId !== null)?.after.renewalId;
    const renewalId = known ?? line[0]?.after.memberId ?? null;
    return { ...one, after: { ...one.after, autoRenew: true, renewalId } };
  });
}

interface RenewalsOf {
  readonly order: OrderRecord;
  readonly userId: number;
  readonly renewals: ReadonlyMap<number, RenewalRecord>;
}

/** The writes of the records with the consent and the saved method, for the transaction of the order; or of those that it switches off. */
export function renewalWrites(
  { table, orgId }: TableDeps,
  checkout: Checkout,
  sold: readonly RenewingMember[],
  { order, userId, renewals }: RenewalsOf,
): readonly TransactItem[] {
  const { plan, charge, account, startedUnix, requestId } = checkout;
  if (isComplimentary(checkout)) {
    const on = [...renewals.values()].filter(({ isOn }) => isOn);
    return on.map((renewal) => renewalPut(table, orgId, renewal, switchRenewal(renewal, false, renewal)).item);
  }
  if (!plan || !autoRenews(checkout)) return [];
  const paymentMethod = checkout.paymentMethod ?? plan.savedMethod;
  if (charge?.customer == null || paymentMethod === null)
    throw new Fault(`The order ${order.orderId} has no saved method.`);
  const { provider, customer } = charge;
  const saved = { provider, account, customer, paymentMethod, savedUnix: order.placedUnix };
  const consent = { text: plan.consentText, givenUnix: startedUnix, requestId };
  const own = sold.filter(({ after }) => after.userId === userId);
  const ids = new Set(own.flatMap(({ after }) => after.renewalId ?? []));
  return [...ids].map((renewalId) => {
    const memberIds = own
      .filter(({ after }) => after.renewalId === renewalId)
      .map(({ after }) => after.memberId)
      .sort((one, other) => one - other);
    const known = renewals.get(renewalId) ?? newRenewal(renewalId, { memberIds, userId });
    const on = switchRenewal(known, true, { consent, optionId: plan.optionId });
    return renewalPut(table, orgId, known, { ...on, memberIds, userId, saved, setup: null, round: null }).item;
  });
}
