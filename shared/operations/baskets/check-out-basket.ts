import * as v from 'valibot';
import { authAccess } from '../../data/auth/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { salesAccess } from '../../sales/access.ts';
import { defineOperation } from '../operation.ts';
import { CheckoutOrder } from '../schemas/checkout.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
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
import { BasketTender } from './tender-fields.ts';

export const checkOutBasket = defineOperation({
  id: 'check-out-basket',
  resource: 'baskets',
  summary: 'Check out a basket',
  description: `Takes the payment and turns the basket into a confirmed order with tickets and memberships. The order belongs to the customer with this email
address, whose name does not change, or to a new customer. If several customers share the address, it belongs to the one with the same
names, otherwise to the oldest.

With the token of a fan in \`X-SSO-Token\`, the order belongs to the customer that the fan is linked to, whatever email address the buyer
typed. A fan who is not linked is linked by the order in two cases: link-sso-user would link the fan by the verified email address, or the
order creates the customer. Otherwise the order is made and nothing is linked, because a typed address proves nothing.

A membership in the basket makes its people members in the same moment as the order, with numbers and barcodes; all of them belong to the
customer of the order, and \`member.created\` follows for each. They are paid (status 1), or with \`membership_payment_option_id\` pay in
instalments (status 2): then only \`due_now\` of the option is charged, the card is saved at the payment provider, and the rest is charged to it
when it is due (retrieve-payment-plan). That needs the consent of the buyer (400 \`consent_missing\`), and a card or a card wallet.

A renewal in the basket gives its members their next term in the same moment; \`member.updated\` and \`membership.renewed\` follow for each. If another
order has renewed or ended the membership since, the response is 409 \`membership_not_renewable\`: nothing is charged, or the payment is refunded at once.

A price for members needs proof that the buyer holds the membership type: the token of a linked fan who holds it, or, with an API key,
\`customer[membership_member_id]\`, or a membership of the type in the same basket. Otherwise the response is 403 \`membership_not_proven\` and nothing is charged. A price can have a limit per member, over all orders (409
\`max_per_member_exceeded\`). What counts against it is given back when the payment fails, and when tickets are cancelled or refunded.

If the tickets are sold in phases (create-phase), the phase that is open now decides: 403 \`phase_not_open\` or \`not_eligible\`, and nothing is charged. The
buyer is who proves to be a member in the same way. A phase can have a limit per person, over all orders (409 \`max_per_person_exceeded\`), which is given back
as that per member is: a person is the linked fan, or else the address without a +tag.

A basket results in at most one payment and one order, so you can repeat the request after a lost response. With the same customer
and payment method it returns the order in its current state; with others it returns 409 \`basket_already_checked_out\`.

If the event is no longer on sale, the response is 409 \`event_not_on_sale\` and nothing is charged.

If the payment is declined, the basket stays open and keeps its tickets until it expires, so you can try another payment method.
402 \`payment_action_required\` means that the buyer has to act first, for example to authenticate: \`payment\` beside \`error\` says how.
The basket keeps its tickets meanwhile, for at most 15 minutes more. Send the same request again afterwards.

Without \`payment_method\` the request verifies the payment of prepare-payment and makes the order if the buyer has paid.

A basket of the counter (\`channel\` of open-basket) can have \`tender\` in place of a payment: your staff have taken the money, and nothing is asked of the payment
provider. Everything else is as in every sale. \`payment_method\` of the order is the kind, and the journal keeps who took the money, and where. This records
cash; it is no cash register, which several countries demand to be certified: \`reference\` names the receipt of yours.

\`customer\` is optional with a tender. An order without one has no \`user_id\`, names and address, and is found by its number and by the barcodes of its tickets. Memberships, prices for members, and prices
with a limit for each person or member need a customer (400 \`customer_required\`).

503 \`payment_unknown\` means that the payment provider has not confirmed the outcome: the basket stays \`checking_out\` until the
outcome is known, and then becomes \`checked_out\` or \`open\`. Retrieve it to wait. The same request, sent again after \`Retry-After\`, returns the order if
the payment succeeded; one that was not paid is cancelled, and a new payment begins, so the basket is \`checking_out\` for longer.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/checkout'),
  auth: { ...purchaseAuth, ssoUser: 'optional' },
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      customer: v.optional(BasketCustomer),
      payment_method: v.optional(
        field(
          v.nullable(text(255)),
          'The payment method reference from the payment provider. Leave it out if the total of the basket is 0, or if the buyer pays the payment of prepare-payment.',
        ),
        null,
      ),
      tender: v.optional(BasketTender),
      invoice_address: AddressAtCheckout,
      consents: ConsentsAtCheckout,
      return_url: ReturnUrl,
      ...paymentChoice,
    }),
  },
  output: {
    status: 201,
    schema: CheckoutOrder,
    problems: [
      ...basketProblems,
      ...paymentProblems,
      'scope_missing',
      'parameter_missing',
      'parameter_conflict',
      'customer_required',
      'not_at_counter',
      'resource_missing',
      'card_declined',
      'payment_action_required',
      'payment_customer_mismatch',
    ],
    links: [
      { to: 'retrieve-order', params: { order_id: '$response.body#/order_id' } },
      { to: 'refund-order', params: { order_id: '$response.body#/order_id' } },
      { to: 'retrieve-basket', params: { basket_id: '$request.path.basket_id' } },
      { to: 'list-event-orders', params: { event_id: '$response.body#/event_id' } },
      { to: 'retrieve-customer', params: { customer_id: '$response.body#/customer/org_customer_id' } },
    ],
  },
  effects: {
    access: [
      salesAccess.checkOut,
      authAccess.readAllowedOrigins,
      organisationsAccess.readOrganisation,
      ...namedAtCheckout,
    ],
    secrets: ['links'],
    emits: ['order.completed', 'member.created', 'member.updated', 'membership.renewed', 'customer.consent_changed'],
    usesPayments: true,
    cannotBeUndone: false,
  },
  runtime: paymentRuntime,
});

export type CheckOutBasketBody = v.InferOutput<(typeof checkOutBasket)['input']['body']>;
