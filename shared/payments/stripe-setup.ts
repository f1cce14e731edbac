import type Stripe from 'stripe';
import type { SavedCard } from '../domain/payments/saved-card.ts';
import type { KnownMethod, KnownSetup, MethodToSave, SetUp, SetupState } from './provider.ts';
import type { StripeClient } from './stripe-client.ts';
import { declined, idOf, methodUnknown, nextAction, onAccount, statusOf, unexpectedRefusal } from './stripe-intent.ts';

/**
 * Saves a card with a SetupIntent, which lets the bank authenticate its owner now, so nobody has to act when it is charged later. Stripe
 * attaches the card to the customer when it succeeds. https://docs.stripe.com/api/setup_intents
 */
export async function setUp(
  client: StripeClient,
  { orgId, account, key, customer, paymentMethod, returnUrl }: MethodToSave,
): Promise<SetUp> {
  const fields: Stripe.SetupIntentCreateParams = {
    customer,
    usage: 'off_session',
    // As for every method that is charged without its owner.
    allowed_payment_method_types: ['card'],
    ...(paymentMethod !== null && { payment_method: paymentMethod, confirm: true }),
    ...(paymentMethod !== null && returnUrl !== null && { return_url: returnUrl }),
    metadata: { gateline_org: orgId, gateline_setup: key },
  };
  const result = await client((stripe) =>
    stripe.setupIntents.create(fields, { ...onAccount(account), idempotencyKey: key }),
  );
  switch (result.outcome) {
    case 'done':
      return { outcome: 'set_up', setup: setupState(result.body) };
    case 'declined':
      return declined(result.message, result.declineCode ?? result.code);
    case 'busy':
      throw unexpectedRefusal(result);
    default:
      return methodUnknown(result) ?? { outcome: 'refused', code: result.code };
  }
}

export async function retrieveSetup(client: StripeClient, { account, setupId }: KnownSetup): Promise<SetupState> {
  const result = await client((stripe) => stripe.setupIntents.retrieve(setupId, {}, onAccount(account)));
  if (result.outcome !== 'done') throw unexpectedRefusal(result);
  return setupState(result.body);
}

/** A key without the permission to read it, or a card that Stripe does not have any more, shows nothing. */
export async function describeCard(
  client: StripeClient,
  { account, paymentMethod }: KnownMethod,
): Promise<SavedCard | null> {
  const result = await client((stripe) => stripe.paymentMethods.retrieve(paymentMethod, {}, onAccount(account)));
  const card = result.outcome === 'done' ? result.body.card : undefined;
  if (card === undefined) return null;
  const { brand, last4, exp_month, exp_year } = card;
  return { brand, last4, expires: `${exp_year}-${String(exp_month).padStart(2, '0')}` };
}

function setupState(intent: Stripe.SetupIntent): SetupState {
  return {
    setupId: intent.id,
    status: statusOf(intent),
    clientSecret: intent.client_secret,
    nextAction: nextAction(intent),
    method: idOf(intent.payment_method),
  };
}
