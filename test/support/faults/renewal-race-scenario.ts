import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import type { TestCheckoutDeps } from '../baskets.ts';
import { renewMember } from '../memberships.ts';
import { announceTwice, givenRenewing } from '../renewals.ts';
import { refundOrder } from './refund-crash-scenario.ts';

/** A member with two terms whose third is due. */
export async function givenDue(deps: TestCheckoutDeps) {
  const { memberId } = await givenRenewing(deps, { capacity: 5 });
  const { orderId } = (await renewMember(deps, memberId)).order;
  deps.nowUnix = await announceTwice(deps, memberId);
  return { memberId, orderId };
}

export type Due = Awaited<ReturnType<typeof givenDue>>;
/** Something that ends the last term, or a step of it. */
export type Act = (deps: TestCheckoutDeps, due: Due) => Promise<unknown>;

export const refund = (deps: TestCheckoutDeps, { memberId, orderId }: Due) =>
  refundOrder(deps, { orderId, tickets: [], members: [memberId] });
export const request = (deps: TestCheckoutDeps, { orderId, memberId }: Due) =>
  requestRefund(deps, { orderId, tickets: [], members: [memberId], reason: null }, () => []);
export const carryOut = (deps: TestCheckoutDeps, { orderId }: Due) => executeRefunds(deps, orderId);
export const cancelOrder = (deps: TestCheckoutDeps, { orderId }: Due) =>
  cancelOrRefundTickets(deps, orderId, { tickets: 'all', members: 'all', to: 'cancelled' });
export const cancelMember = (deps: TestCheckoutDeps, { memberId }: Due) =>
  cancelMembership(deps, { memberId, when: 'now', refund: 'none' }, () => []);
