import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Table } from '../data/table/table.ts';
import { isChargeable, moneyText } from '../domain/money.ts';
import { sandboxPagePath } from '../domain/payments/sandbox-page-path.ts';
import type { Charge, Confirmed, MethodToSave, PaymentProvider, PaymentState, SetUp, SetupState } from './provider.ts';
import {
  putCharge,
  readCharge,
  refundCharge,
  refundlessCard,
  type SandboxCharge,
  setStatus,
  setupPrefix,
} from './sandbox-charges.ts';
import { actionToken } from './sandbox-token.ts';

/** The cards of the sandbox, and the outcome of a payment with each. */
const sandboxCards = {
  pm_card_visa: 'is paid',
  pm_card_declined: 'is declined',
  pm_card_threeDSecure2Required: 'is paid after the buyer has approved it on the page of the sandbox',
  pm_card_timeout: 'is never answered, and not paid',
  pm_card_late: 'is paid, but never answered',
  pm_card_chargeCustomerFail: 'is paid and saved, and every later charge is declined',
  pm_card_authenticationRequired:
    'is paid after the buyer has approved it, and every later charge is declined because the buyer has to authenticate',
  [refundlessCard]: 'is paid, and every refund is refused',
} as const;

/** Of the cards that differ. The numbers are those of Stripe's test cards. */
const lastDigits: Readonly<Record<string, string>> = {
  pm_card_declined: '0002',
  pm_card_threeDSecure2Required: '3220',
  pm_card_chargeCustomerFail: '0341',
  pm_card_authenticationRequired: '3184',
  [refundlessCard]: '5126',
};

/**
 * A payment provider that moves no money. Its charges are in the table. A charge's status changes by conditional writes, so
 * the sandbox behaves like a real provider after crashes and under repeated and concurrent calls. The address of the API
 * is needed only where a response shows the buyer the page of the sandbox.
 */
export function sandboxProvider(table: Table, baseUrl = ''): PaymentProvider {
  const stateOf = (charge: SandboxCharge): PaymentState => paymentState(charge, baseUrl);
  const confirmOf = async (charge: SandboxCharge, isOffSession: boolean, signal: AbortSignal): Promise<Confirmed> => {
    if (isOffSession && Object.hasOwn(laterDeclines, charge.method ?? '')) {
      return toConfirmed(await setStatus(table, charge, 'declined'), baseUrl);
    }
    switch (charge.method) {
      case 'pm_card_visa':
      case 'pm_card_chargeCustomerFail':
      case refundlessCard:
        return toConfirmed(await setStatus(table, charge, 'paid'), baseUrl);
      case 'pm_card_threeDSecure2Required':
      case 'pm_card_authenticationRequired':
        return toConfirmed(await setStatus(table, charge, 'requires_action'), baseUrl);
      case 'pm_card_late':
        await setStatus(table, charge, 'paid');
        return waitForAbort(signal);
      case 'pm_card_timeout':
        return waitForAbort(signal);
      default:
        return toConfirmed(await setStatus(table, charge, 'declined'), baseUrl);
    }
  };
  return {
    name: 'sandbox',
    needsAccount: false,
    publishableKey: null,
    createCustomer: async ({ key }) => `sbx_cus_${key}`,
    async prepare(charge) {
      if (!isPayable(charge)) return { outcome: 'method_unknown', isGone: true };
      if (!isChargeable(charge.amountMinor, charge.currency))
        return { outcome: 'refused', code: 'amount_not_chargeable' };
      return { outcome: 'prepared', payment: stateOf(await putCharge(table, newCharge(charge))) };
    },
    async setUp(method, signal) {
      if (!isPayable(method)) return { outcome: 'method_unknown', isGone: true };
      const charge = await putCharge(table, newCharge(chargeOfSetup(method)));
      // The page of the sandbox decides about a method that the request does not name.
      if (charge.method !== null && charge.status === 'prepared') await confirmOf(charge, false, signal);
      return toSetUp(stateOf(await readCharge(table, charge)));
    },
    retrieveSetup: async ({ orgId, setupId }) =>
      setupStateOf(stateOf(await readCharge(table, { orgId, chargeId: setupId }))),
    describeCard: async ({ paymentMethod }) =>
      Object.hasOwn(sandboxCards, paymentMethod)
        ? { brand: 'visa', last4: lastDigits[paymentMethod] ?? '4242', expires: '2039-12' }
        : null,
    confirm: async (known, signal) => confirmOf(await readCharge(table, known), known.offSession === true, signal),
    retrieve: async (known) => stateOf(await readCharge(table, known)),
    cancel: async (known) => stateOf(await setStatus(table, await readCharge(table, known), 'cancelled')),
    refund: async (known, refund) =>
      isChargeable(refund.amountMinor, refund.currency)
        ? refundCharge(table, known, refund)
        : { outcome: 'refused', message: `Cards get no ${moneyText(refund.amountMinor, refund.currency)} back.` },
  };
}

function isPayable({ paymentMethod }: Pick<Charge, 'paymentMethod'>): boolean {
  return paymentMethod === null || Object.hasOwn(sandboxCards, paymentMethod);
}

/** A method is saved by a charge of nothing. */
function chargeOfSetup({ orgId, account, key, paymentMethod, returnUrl, customer }: MethodToSave): Charge {
  return {
    orgId,
    account,
    key: `${setupPrefix}${key}`,
    paymentMethod,
    returnUrl,
    customer,
    savesMethod: true,
    owner: { kind: 'renewal', id: 0 },
    amountMinor: 0,
    currency: '',
    presentation: { statementDescriptor: null, receiptEmail: null },
  };
}

function setupStateOf({ chargeId, status, clientSecret, nextAction, method }: PaymentState): SetupState {
  return { setupId: chargeId, status, clientSecret, nextAction, method };
}

function toSetUp(state: PaymentState): SetUp {
  return state.status === 'failed'
    ? { outcome: 'declined', message: declineMessage, code: state.declineCode }
    : { outcome: 'set_up', setup: setupStateOf(state) };
}

/** Without a payment method the buyer can act at once: the page of the sandbox takes the place of a provider's component. */
function newCharge({ orgId, key, amountMinor, currency, paymentMethod, returnUrl }: Charge): SandboxCharge {
  return {
    orgId,
    chargeId: `sbx_${key}`,
    key,
    method: paymentMethod,
    status: paymentMethod === null ? 'requires_action' : 'prepared',
    secret: randomBytes(24).toString('base64url'),
    returnUrl,
    amountMinor,
    currency,
    refundedMinor: 0,
    refunds: {},
  };
}

const statuses = {
  prepared: 'requires_payment_method',
  requires_action: 'requires_action',
  paid: 'succeeded',
  declined: 'failed',
  cancelled: 'failed',
} as const;

function paymentState(charge: SandboxCharge, baseUrl: string): PaymentState {
  const { orgId, chargeId, key, status, method, amountMinor, currency, returnUrl } = charge;
  const token = actionToken(charge);
  const url = `${baseUrl}${sandboxPagePath}/${token}`;
  return {
    chargeId,
    status: statuses[status],
    amountMinor,
    currency,
    orgId,
    key,
    // The page of the sandbox is its only component, and the secret is part of its address.
    clientSecret: token,
    nextAction: status === 'requires_action' ? { type: 'redirect_to_url', url, returnUrl } : null,
    methodKind: status === 'paid' ? 'card' : null,
    // The page of the sandbox pays with a card that can be charged again.
    method: method ?? (status === 'paid' ? 'pm_card_visa' : null),
    declineMessage: status === 'declined' ? declineMessage : null,
    declineCode: status === 'declined' ? declineCodeOf(charge) : null,
  };
}

/** The cards that can be saved and not charged again, and the code of that decline. */
const laterDeclines: Readonly<Record<string, string>> = {
  pm_card_chargeCustomerFail: 'card_declined',
  pm_card_authenticationRequired: 'authentication_required',
};

function declineCodeOf({ method }: SandboxCharge): string {
  return laterDeclines[method ?? ''] ?? 'generic_decline';
}

const declineMessage = 'The card was declined.';

function toConfirmed(charge: SandboxCharge, baseUrl: string): Confirmed {
  const payment = paymentState(charge, baseUrl);
  switch (payment.status) {
    case 'succeeded':
      return { outcome: 'paid', methodKind: payment.methodKind, method: payment.method };
    case 'requires_action':
      return { outcome: 'action_required', payment };
    default:
      return { outcome: 'declined', message: declineMessage, code: payment.declineCode };
  }
}

/** Simulates a provider that does not respond. */
async function waitForAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
