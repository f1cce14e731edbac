import type Stripe from 'stripe';
import type { ChargeOwner } from '../domain/payments/charge-key.ts';
import type { Charge, Prepared } from './provider.ts';
import { stripeAmount } from './stripe-amount.ts';
import type { StripeClient } from './stripe-client.ts';
import { declined, expand, methodUnknown, onAccount, paymentState, unexpectedRefusal } from './stripe-intent.ts';

/**
 * Methods whose money arrives, or fails to arrive, days after the buyer has paid. A ticket cannot be held for days, so a buyer
 * cannot choose them. https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const delayedMethods = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'payto',
  'sepa_debit',
  'sofort',
  'us_bank_account',
];

/** Creates the PaymentIntent of an attempt. */
export async function prepare(client: StripeClient, charge: Charge): Promise<Prepared> {
  const amount = stripeAmount(charge.amountMinor, charge.currency);
  if (amount === undefined) return { outcome: 'refused', code: 'amount_not_chargeable' };
  const { account, key, customer, savesMethod } = charge;
  const { statementDescriptor, receiptEmail } = charge.presentation;
  const fields: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: charge.currency.toLowerCase(),
    ...methodFields(charge),
    ...(customer !== null && { customer }),
    ...(savesMethod && { setup_future_usage: 'off_session' as const }),
    // Cards show the descriptor of the account with this suffix; Stripe refuses a full one for them.
    ...(statementDescriptor !== null && { statement_descriptor_suffix: statementDescriptor }),
    ...(receiptEmail !== null && { receipt_email: receiptEmail }),
    metadata: {
      gateline_org: charge.orgId,
      gateline_charge: key,
      ...ownerFields(charge.owner),
    },
    expand,
  };
  const result = await client((stripe) =>
    stripe.paymentIntents.create(fields, { ...onAccount(account), idempotencyKey: `${key}-prepare` }),
  );
  switch (result.outcome) {
    case 'done':
      return { outcome: 'prepared', payment: paymentState(result.body) };
    case 'declined':
      return declined(result.message, result.declineCode ?? result.code);
    case 'busy':
      throw unexpectedRefusal(result);
    default:
      // For example too small an amount, or an account that may not charge.
      return methodUnknown(result) ?? { outcome: 'refused', code: result.code };
  }
}

/**
 * A saved method is charged later without the buyer, so it is a card: bank redirects are saved as debits, which settle days later. All
 * instalments of a plan are paid by card.
 */
function methodFields({ paymentMethod, savesMethod, owner }: Charge): Partial<Stripe.PaymentIntentCreateParams> {
  if (paymentMethod !== null) return { payment_method: paymentMethod, allowed_payment_method_types: ['card'] };
  if (savesMethod || owner.kind === 'instalment') return { allowed_payment_method_types: ['card'] };
  return { automatic_payment_methods: { enabled: true }, excluded_payment_method_types: delayedMethods };
}

/** The order that a basket becomes has its id. */
function ownerFields({ kind, id }: ChargeOwner): Stripe.MetadataParam {
  return kind === 'basket'
    ? { gateline_basket: String(id), gateline_order: String(id) }
    : { [`gateline_${kind}`]: String(id) };
}
