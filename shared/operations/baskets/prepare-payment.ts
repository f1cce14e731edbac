import * as v from 'valibot';
import { authAccess } from '../../data/auth/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { PreparedPayment } from '../schemas/payment.ts';
import { basketId, basketPaths, basketProblems, purchaseAuth } from './basket-operation.ts';
import {
  AddressAtCheckout,
  BasketCustomer,
  ConsentsAtCheckout,
  namedAtCheckout,
  paymentChoice,
  paymentProblems,
  paymentRuntime,
  ReturnUrl,
} from './payment-fields.ts';

export const preparePayment = defineOperation({
  id: 'prepare-payment',
  resource: 'baskets',
  summary: 'Prepare the payment of a basket',
  description: `Creates the payment of the basket at the payment provider, for a buyer who pays on your page: with the provider's component and the
\`client_secret\`, or on the page that \`next_action\` names. The buyer chooses the method there, and authenticates if the bank demands it.
Then check out the basket without \`payment_method\`: the service verifies the payment and makes the order.

The basket is \`checking_out\` from now on and keeps its tickets for 15 minutes. If the buyer pays and does not come back, the order is made
within a minute. If the buyer has not paid by then, the payment is cancelled and the tickets are released.

Repeat the request to see the current state: it returns the same payment until it has ended. The \`return_url\` of the first request counts, and
the \`customer\` and the fan of the last. Another \`membership_payment_option_id\` makes a new payment. Adding or removing an item, cancelling the basket, and a checkout with a \`payment_method\` cancel the payment.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/payment'),
  auth: { ...purchaseAuth, ssoUser: 'optional' },
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      customer: BasketCustomer,
      invoice_address: AddressAtCheckout,
      consents: ConsentsAtCheckout,
      return_url: ReturnUrl,
      ...paymentChoice,
    }),
  },
  output: {
    schema: PreparedPayment,
    isStored: false,
    problems: [...basketProblems, ...paymentProblems, 'payment_not_needed', 'card_declined', 'resource_missing'],
  },
  effects: {
    access: [salesAccess.preparePayment, authAccess.readAllowedOrigins, ...namedAtCheckout],
    emits: ['order.completed'],
    usesPayments: true,
    cannotBeUndone: false,
  },
  runtime: paymentRuntime,
});
