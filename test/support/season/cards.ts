import * as v from 'valibot';
import { decideSandboxPayment, readSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { nothing, type Scene } from './scene.ts';

/** Most cards pay. The others take no money back, decline later charges, ask their owner, or decline at once. */
export const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_refundFail',
  'pm_card_refundFail',
  'pm_card_chargeCustomerFail',
  'pm_card_authenticationRequired',
  'pm_card_threeDSecure2Required',
  'pm_card_declined',
] as const;

const Secret = v.object({ client_secret: v.string() });
const Shown = v.union([v.object({ payment: Secret }), v.object({ setup: Secret })]);

/** Remembers the payment that a result shows to its buyer or member. Returns what came of the request. */
export function shownBy({ club }: Scene, result: { readonly outcome: string }): string {
  const parsed = v.safeParse(Shown, result);
  if (parsed.success) {
    club.shown.push(('payment' in parsed.output ? parsed.output.payment : parsed.output.setup).client_secret);
  }
  return result.outcome;
}

/** A buyer or member decides about one of the last payments that it was shown, on the page of the sandbox. */
export async function decideShown({ club, outside, choose }: Scene): Promise<string> {
  const secret = choose(club.shown.slice(-4));
  const charge = secret === undefined ? undefined : await readSandboxPayment(outside, secret);
  if (charge === undefined) return nothing;
  const decision = choose(['approve', 'approve', 'fail'] as const);
  await decideSandboxPayment(outside, charge, decision);
  return decision;
}
