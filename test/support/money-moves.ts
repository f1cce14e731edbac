import { payInstalment } from '../../shared/charges/pay-instalment.ts';
import type { MoneyMove } from '../../shared/domain/journal/money-moves.ts';
import { findCharge } from '../../shared/payments/sandbox-charges.ts';
import { sandboxDispute } from '../../shared/payments/sandbox-dispute.ts';
import { executeRefunds } from '../../shared/sales/checkout/sweep-basket.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';
import { recordDisputedMoney } from '../../shared/sales/disputes/record-disputed-money.ts';
import { recordFailedRefund } from '../../shared/sales/refunds/record-failed-refund.ts';
import { type RefundRequest, requestRefund } from '../../shared/sales/refunds/request-refund.ts';
import { chargesOf, checkOutWith, givenBasket, givenOnSale, type TestCheckoutDeps } from './baskets.ts';
import { givenInvoiceMove } from './counter.ts';
import { failInSandbox } from './failed-refunds.ts';
import { refundOrder } from './faults/refund-crash-scenario.ts';
import { givenAddressMove } from './invoice-address.ts';
import { buyInInstalments, givenInstalmentType, planOf, sweepWhenDue } from './plans.ts';

interface GivenMove {
  readonly orderId: number;
  /** What moves the money, as its caller repeats it. */
  move(): Promise<unknown>;
  /** The same, refused. */
  refused(): Promise<unknown>;
}

interface Example {
  readonly moved: MoneyMove['moved'];
  /** The kind of the entry. */
  readonly kind: string;
  given(deps: TestCheckoutDeps): Promise<GivenMove>;
}

async function givenTickets(deps: TestCheckoutDeps) {
  const { price } = await givenOnSale(deps.table, deps.orgId, { capacity: 10 });
  const { basketId } = await givenBasket(deps, price, 2);
  return basketId;
}

async function givenSoldTickets(deps: TestCheckoutDeps) {
  const orderId = await givenTickets(deps);
  await checkOutWith(deps, orderId);
  return orderId;
}

/** A membership of which two of six instalments are paid. */
async function givenMembership(deps: TestCheckoutDeps) {
  const { order, planId, memberId } = await buyInInstalments(deps, await givenInstalmentType(deps));
  await sweepWhenDue(deps, planId, 2);
  deps.nowUnix += 3_600;
  return { orderId: order.orderId, planId, memberId };
}

/** A provider that refuses to return those charges. */
async function refusing(deps: TestCheckoutDeps, isRefused: (key: string) => boolean): Promise<CheckoutDeps> {
  const provider = await deps.payments.current();
  const refund: typeof provider.refund = async (...call) =>
    isRefused(call[1].key) ? { outcome: 'refused', message: '' } : provider.refund(...call);
  return { ...deps, payments: { ...deps.payments, byName: async () => ({ ...provider, refund }) } };
}

async function refundWith(deps: CheckoutDeps, request: Omit<RefundRequest, 'reason'>) {
  await requestRefund(deps, { ...request, reason: null }, () => []);
  await executeRefunds(deps, request.orderId);
}

async function disputeOf(deps: TestCheckoutDeps, chargeId: string) {
  const charge = await findCharge(deps.table, { orgId: deps.orgId, chargeId });
  if (charge === undefined) throw new Error('There is no such charge.');
  return sandboxDispute(charge, deps.nowUnix);
}

async function givenDispute(deps: TestCheckoutDeps, orderId: number, chargeId: string): Promise<GivenMove> {
  const disputed = await disputeOf(deps, chargeId);
  return {
    orderId,
    move: () => recordDisputedMoney(deps, disputed, 'withdrawn'),
    refused: () => recordDisputedMoney(deps, { ...disputed, chargeId: 'sbx_ch_other' }, 'withdrawn'),
  };
}

const givenAddress = async (deps: TestCheckoutDeps) => givenAddressMove(deps, await givenSoldTickets(deps));

export const moneyMoves: Readonly<Record<string, Example>> = {
  'a sale': {
    moved: 'sale',
    kind: 'sale',
    given: async (deps) => {
      const orderId = await givenTickets(deps);
      return {
        orderId,
        move: () => checkOutWith(deps, orderId),
        refused: () => checkOutWith(deps, orderId, { paymentMethod: 'pm_card_declined' }),
      };
    },
  },
  'a refund': {
    moved: 'refund',
    kind: 'refund',
    given: async (deps) => {
      const orderId = await givenSoldTickets(deps);
      const request = { orderId, tickets: 'all' } as const;
      const refuses = await refusing(deps, () => true);
      return { orderId, move: () => refundOrder(deps, request), refused: () => refundWith(refuses, request) };
    },
  },
  'a refund that writes off instalments': {
    moved: 'refund',
    kind: 'refund',
    given: async (deps) => {
      const { orderId, memberId } = await givenMembership(deps);
      const request = { orderId, tickets: [], members: [memberId] };
      const refuses = await refusing(deps, () => true);
      return { orderId, move: () => refundOrder(deps, request), refused: () => refundWith(refuses, request) };
    },
  },
  'a refund that failed': {
    moved: 'failed_refund',
    kind: 'refund_failed',
    given: async (deps) => {
      const orderId = await givenSoldTickets(deps);
      await refundOrder(deps, { orderId, tickets: 'all' });
      const [charge] = await chargesOf(deps);
      const failed = { key: `${orderId}-refund-1`, amountMinor: charge?.refundedMinor ?? 0 };
      await failInSandbox(deps, failed);
      return {
        orderId,
        move: () => recordFailedRefund(deps, { basketId: orderId, number: 1, failed }),
        refused: () => recordFailedRefund(deps, { basketId: orderId, number: 2, failed }),
      };
    },
  },
  'an instalment': {
    moved: 'instalment',
    kind: 'instalment',
    given: async (deps) => {
      const { orderId, planId } = await givenMembership(deps);
      const pay = (paymentMethod: string) => payInstalment(deps, { planId, number: 3, paymentMethod, returnUrl: null });
      return { orderId, move: () => pay('pm_card_visa'), refused: () => pay('pm_card_declined') };
    },
  },
  'a payment of an invoice': { moved: 'payment', kind: 'payment', given: givenInvoiceMove },
  'instalments that a refused refund has returned': {
    moved: 'returned_instalments',
    kind: 'refund',
    given: async (deps) => {
      const { orderId, memberId } = await givenMembership(deps);
      const request = { orderId, tickets: [], members: [memberId] };
      const refusesAll = await refusing(deps, () => true);
      const refusesLast = await refusing(deps, (key) => key.startsWith(`${orderId}-`));
      let isRequested = false;
      return {
        orderId,
        // A second request would be another refund.
        move: async () => {
          if (!isRequested) {
            isRequested = true;
            await requestRefund(deps, { ...request, reason: null }, () => []);
          }
          await executeRefunds(refusesLast, orderId);
        },
        refused: () => refundWith(refusesAll, request),
      };
    },
  },
  'a returned instalment that comes back': {
    moved: 'failed_return',
    kind: 'refund_failed',
    given: async (deps) => {
      const { orderId, planId, memberId } = await givenMembership(deps);
      const { charge } = (await planOf(deps, planId)).instalments[1] ?? {};
      const refusesLast = await refusing(deps, (key) => key.startsWith(`${orderId}-`));
      await refundWith(refusesLast, { orderId, tickets: [], members: [memberId] });
      const failed = { key: `instalment-${planId}-refund-1-2`, amountMinor: 4_008 };
      await failInSandbox(deps, failed, charge?.chargeId);
      const fail = (key: string) =>
        recordFailedRefund(deps, { basketId: orderId, number: 1, failed: { ...failed, key } });
      return { orderId, move: () => fail(failed.key), refused: () => fail(`${orderId}-refund-1`) };
    },
  },
  'the disputed money of an order': {
    moved: 'dispute',
    kind: 'dispute_withdrawn',
    given: async (deps) => {
      const orderId = await givenSoldTickets(deps);
      const [charge] = await chargesOf(deps);
      return givenDispute(deps, orderId, charge?.sk ?? '');
    },
  },
  'the disputed money of an instalment': {
    moved: 'dispute',
    kind: 'dispute_withdrawn',
    given: async (deps) => {
      const { orderId, planId } = await givenMembership(deps);
      const { charge } = (await planOf(deps, planId)).instalments[1] ?? {};
      return givenDispute(deps, orderId, charge?.chargeId ?? '');
    },
  },
  'an invoice address': { moved: 'invoice_address', kind: 'invoice_address', given: givenAddress },
};

/** Every kind of a move, which the type checker compares with the union. */
export const kindsOfMoves: Readonly<Record<MoneyMove['moved'], true>> = {
  sale: true,
  refund: true,
  failed_refund: true,
  instalment: true,
  payment: true,
  returned_instalments: true,
  failed_return: true,
  dispute: true,
  invoice_address: true,
};

/** Whether an item is of one of these kinds. */
export const isOf = (kinds: readonly string[], item: Readonly<Record<string, unknown>> = {}) =>
  kinds.includes(String(item.pk).split('#')[0] ?? '');
/** Whether a write is on the condition that nobody changed its row. */
export const isVersioned = (put: { readonly ConditionExpression?: string | undefined } | undefined) =>
  /^v(ersion)? = :v(ersion)?( AND .*)?$/.test(put?.ConditionExpression ?? '');
