import * as v from 'valibot';
import { customerLimits, isEmailAddress } from '../../domain/customers/customer.ts';
import { defineOperation } from '../operation.ts';
import { CheckoutOrder } from '../schemas/checkout.ts';
import { field, nameText } from '../schemas/fields.ts';
import { basketAuth, basketId, basketPaths, basketProblems } from './basket-operation.ts';

const Email = v.pipe(
  v.string(),
  v.maxLength(customerLimits.emailAddress),
  v.check(isEmailAddress, `an email address of at most ${customerLimits.emailAddress} bytes`),
);

export const checkOutBasket = defineOperation({
  id: 'check-out-basket',
  resource: 'baskets',
  summary: 'Check out a basket',
  description: `Takes the payment and makes the basket a confirmed order with its tickets. There is one payment and one order for a basket,
whatever is repeated: after an answer that was lost, send the same request again. With the same customer and payment method it is
answered with the order that the basket has become, as that is now; with others it is 409 basket_already_checked_out. A payment that is declined leaves the basket open and its
tickets held until its time is over, so that another payment method can be tried. With 503 payment_unknown the payment provider has not said yet whether it
took the money: the basket stays checking_out until it has, and is then checked_out or open again. The customer is the one with
this email address, whose names stay as they are, or a new one.`,
  method: 'POST',
  paths: basketPaths('/{basket_id}/checkout'),
  auth: basketAuth,
  input: {
    params: v.strictObject({ basket_id: basketId }),
    body: v.strictObject({
      customer: field(
        v.strictObject({
          email: field(Email, 'Where to reach the buyer.'),
          first_name: field(nameText(customerLimits.firstName), 'Given name.'),
          last_name: field(nameText(customerLimits.lastName), 'Family name.'),
        }),
        'Who buys.',
      ),
      payment_method: v.optional(
        field(
          v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
          'The reference that the payment provider gave for what is paid with. Not needed where there is nothing to pay.',
        ),
        null,
      ),
    }),
  },
  output: {
    status: 201,
    schema: CheckoutOrder,
    problems: [
      ...basketProblems,
      'basket_empty',
      'resource_missing',
      'membership_required',
      'payment_account_missing',
      'card_declined',
      'payment_refused',
      'payment_unknown',
    ],
  },
  effects: {
    access: {
      BAR: ['BatchGetItem', 'PutItem'],
      BSK: ['GetItem', 'PutItem'],
      CNT: ['UpdateItem'],
      CUS: ['GetItem', 'PutItem'],
      CUV: ['PutItem'],
      DUE: ['PutItem'],
      MEE: ['Query'],
      MEM: ['GetItem'],
      ORD: ['GetItem', 'PutItem'],
      ORG: ['GetItem'],
      ORV: ['PutItem'],
      SBX: ['GetItem', 'PutItem', 'UpdateItem'],
      STK: ['UpdateItem'],
      UNI: ['GetItem', 'PutItem'],
    },
    emits: ['order.completed'],
    usesPayments: true,
  },
  runtime: {
    // A payment may take ten seconds, and what it is for is written after it. API Gateway waits for 29.
    timeoutSeconds: 27,
    releasedGradually: true,
  },
});

export type CheckOutBasketBody = v.InferOutput<(typeof checkOutBasket)['input']['body']>;
