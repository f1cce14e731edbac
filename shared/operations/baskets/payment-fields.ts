import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { membershipAccess } from '../../data/membership/access.ts';
import { consentLimits } from '../../domain/customers/consents.ts';
import { customerLimits, isShortEmailAddress } from '../../domain/customers/customer.ts';
import { ssoAccess } from '../../sso/access.ts';
import { InvoiceAddressInput } from '../orders/invoice-address-fields.ts';
import type { ProblemCode } from '../problems.ts';
import { ConsentInput } from '../schemas/consent.ts';
import { field } from '../schemas/fields.ts';
import { emailText, IdOrDigits, nameText, text, UrlText } from '../schemas/text.ts';

const Email = v.pipe(
  emailText(customerLimits.emailAddress),
  v.check(isShortEmailAddress, `an email address of at most ${customerLimits.emailAddress} bytes`),
);

const nameEntries = (whom: string) => ({
  email: field(Email, `Email address of ${whom}.`),
  first_name: field(nameText(customerLimits.firstName), `Given name of ${whom}.`),
  last_name: field(nameText(customerLimits.lastName), `Family name of ${whom}.`),
});

/** The person that an organisation keeps a basket for. */
export const HeldForCustomer = field(
  v.strictObject(nameEntries('the person')),
  'Whom you keep the basket for. Anybody with its link can pay it. Requires hold_until_unix.',
);

/** The buyer of a basket, for prepare-payment and check-out-basket. */
export const BasketCustomer = field(
  v.strictObject({
    ...nameEntries('the buyer'),
    membership_member_id: v.optional(
      field(
        v.nullable(IdOrDigits),
        'The membership of the buyer, for prices of members: with it your server vouches for the buyer. Only with an API key. A page sends the token of the fan instead.',
      ),
      null,
    ),
  }),
  'The buyer.',
);

export const ReturnUrl = v.optional(
  field(
    v.nullable(UrlText),
    'Where the buyer returns to after an action on a page of the payment provider. Its origin must be an allowed origin of a storefront token of the organisation.',
  ),
  null,
);

/** Whom the receipt is made out to, for prepare-payment and check-out-basket. */
export const AddressAtCheckout = v.optional(
  field(
    v.nullable(InvoiceAddressInput),
    'Whom the receipt is made out to. It counts in the request that begins the payment; later use set-invoice-address.',
  ),
  null,
);

/** What the buyer agrees to or refuses, for prepare-payment and check-out-basket. */
export const ConsentsAtCheckout = v.optional(
  field(
    v.pipe(v.array(ConsentInput), v.maxLength(consentLimits.perCheckout)),
    'What the buyer agrees to or refuses; absent: nothing changes. It counts in the request that begins the payment. With a storefront token alone only a customer that this checkout creates gets it: nobody can change the consents of another person by typing an address. With an API key, and with the token of the fan who owns the customer, they are added to the history (list-consents).',
  ),
  [],
);

/** How the memberships of a basket are paid for, for prepare-payment and check-out-basket. */
export const paymentChoice = {
  membership_payment_option_id: v.optional(
    field(
      v.nullable(text(100)),
      'One of `payment_options` of the basket. Without it the whole basket is paid at once. A checkout that verifies the payment of prepare-payment need not repeat it.',
    ),
    null,
  ),
  consent: v.optional(
    field(
      v.boolean(),
      'Whether the buyer agrees to the later charges. Required if the option has instalments or renews itself.',
    ),
    false,
  ),
  consent_text: v.optional(
    field(v.nullable(text(4_000)), 'The words that the buyer agreed to. They are kept with the time and the request.'),
    null,
  ),
};

/** What looks up the people and the payment option that a request names. */
export const namedAtCheckout = [
  ssoAccess.findSignedInUser,
  membersAccess.readMember,
  membershipAccess.hasPaymentOption,
];

/** The problems of every operation that begins a payment. */
export const paymentProblems = [
  'basket_empty',
  'holder_missing',
  'companion_only',
  'price_not_on_sale',
  'event_not_on_sale',
  'phase_not_open',
  'not_eligible',
  'membership_not_proven',
  'max_per_member_exceeded',
  'max_per_person_exceeded',
  'membership_not_renewable',
  'refund_in_progress',
  'payment_account_missing',
  'payment_refused',
  'payment_unknown',
  'payment_mismatch',
  'payment_option_not_offered',
  'consent_missing',
] as const satisfies readonly ProblemCode[];

export const paymentRuntime = {
  // A payment may take ten seconds. An earlier one is settled before it, or the order is written after it. API Gateway waits for 29.
  timeoutSeconds: 27,
  // 170 payments a second, at 0.85 s each for the provider and the table, twice.
  concurrency: 300,
  raisedForSale: true,
  objective: { latencyMs: 4_000 },
  waitsForProvider: true,
  releasedGradually: true,
} as const;
