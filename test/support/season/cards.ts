import { findCharge } from '../../../shared/payments/sandbox-charges.ts';
import { decideSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { chargesOf } from '../baskets.ts';
import { nothing, type Scene } from './scene.ts';

/** Most cards pay. The others take no money back, decline later charges, ask their owner, or decline at once. */
export const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_refundFail',
  'pm_card_chargeCustomerFail',
  'pm_card_authenticationRequired',
  'pm_card_threeDSecure2Required',
  'pm_card_declined',
] as const;

/** A buyer or member decides about a payment that waits for it, on the page of the sandbox. */
export async function decideWaiting({ club: { orgId }, deps, outside, choose }: Scene): Promise<string> {
  const waiting = (await chargesOf({ ...deps, table: outside })).filter(({ status }) => status === 'requires_action');
  const chargeId = choose(waiting)?.sk;
  const charge = chargeId === undefined ? undefined : await findCharge(outside, { orgId, chargeId });
  if (charge === undefined) return nothing;
  const decision = choose(['approve', 'approve', 'fail'] as const);
  await decideSandboxPayment(outside, charge, decision);
  return decision;
}
