import * as v from 'valibot';
import { field, Money, resource } from './fields.ts';

const PaymentStatus = v.picklist(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'failed']);

const RedirectToUrl = resource('PaymentRedirect', 'A page to which the buyer is sent.', {
  url: field(v.string(), 'The page where the buyer acts. Send the browser there.'),
  return_url: field(v.nullable(v.string()), 'Where that page sends the buyer afterwards; null if you gave none.'),
});

const NextAction = resource('PaymentAction', 'What the buyer has to do.', {
  type: field(
    v.string(),
    "`redirect_to_url`, or another type of the provider, which the provider's component carries out.",
  ),
  redirect_to_url: field(v.nullable(RedirectToUrl), 'The page of the action; null for other types.'),
});

const provider = field(v.string(), 'The payment provider, `stripe` or `sandbox`.');
const atProvider = {
  publishable_key: field(
    v.nullable(v.string()),
    "The key with which the provider's component is loaded; null if there is none.",
  ),
  account: field(v.nullable(v.string()), "The organisation's account at the provider; null for the sandbox."),
  next_action: field(v.nullable(NextAction), 'What the buyer has to do; null if nothing, or if the component knows.'),
};

export const Payment = resource('Payment', 'The payment of a basket at the payment provider.', {
  provider,
  status: field(
    PaymentStatus,
    'A succeeded payment becomes an order with check-out-basket, or within a minute if the buyer does not come back. A failed payment cannot be paid any more.',
  ),
  amount: field(Money, 'The amount, in major units of the currency.'),
  currency: field(v.string(), 'ISO 4217 code, such as AUD.'),
  client_secret: field(
    v.nullable(v.string()),
    "Lets the provider's component in the browser of the buyer pay this payment, and nothing else. Give it only to the buyer.",
  ),
  ...atProvider,
});
export type Payment = v.InferOutput<typeof Payment>;

export const MethodSetup = resource(
  'MethodSetup',
  'The saving of a payment method at the payment provider. No money moves.',
  {
    provider,
    status: field(PaymentStatus, 'A succeeded one is used for later charges once you send set-payment-method again.'),
    client_secret: field(
      v.nullable(v.string()),
      "Lets the provider's component in the browser of the member save the method. Give it only to the member.",
    ),
    ...atProvider,
  },
);
export type MethodSetup = v.InferOutput<typeof MethodSetup>;

export const SavedCard = resource('SavedCard', 'A saved card, as its owner knows it.', {
  brand: field(v.string(), 'The network of the card in the words of the payment provider, such as visa or mastercard.'),
  last4: field(v.string(), 'The last four digits of its number.'),
  expires: field(v.string(), 'The last month in which it is valid, such as 2030-04.'),
});

export const PreparedPayment = resource('PreparedPayment', 'The answer of prepare-payment.', { payment: Payment });
