import { changeBasket, openBasket, readBasket } from '../data/baskets/baskets.ts';
import { readCustomer } from '../data/customers/read.ts';
import { ownerCheck } from '../data/members/owner-check.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import { readPlan } from '../data/plans/plans.ts';
import { renewalPut, saveRenewal } from '../data/renewals/renewals.ts';
import { SideEffectsRefused } from '../data/table/transact.ts';
import { type Basket, type BasketBuyer, basketStatusAt } from '../domain/baskets/basket.ts';
import { addMembership, cancelBasket } from '../domain/baskets/changes.ts';
import { outstandingMinor } from '../domain/plans/plan.ts';
import {
  autoRenewalIssuer,
  beginRenewal,
  declineRenewal,
  dropAttempt,
  endRound,
  methodForRenewal,
  planOpen,
  type RenewalAttempt,
  type RenewalRecord,
  type SavedMethod,
} from '../domain/renewals/renewal.ts';
import { unixSeconds } from '../platform/clock.ts';
import { checkOut } from '../sales/checkout/check-out.ts';
import type { CheckedOut } from '../sales/checkout/outcomes.ts';
import { settleCheckout } from '../sales/checkout/settle.ts';
import { announce, recordAndTell } from './announce-renewal.ts';
import type { ChargeDeps } from './deps.ts';
import { accountChanged, payeeOf, savedElsewhere } from './prepare-charge.ts';
import type { OfferedRenewal } from './renewal-facts.ts';

/**
 * `refused`: no money has moved, and the card is not the reason; the renewal is due as before. `unsettled`: it is not known whether
 * money has moved. `raced`: another process was first.
 */
export type Renewed =
  | { readonly outcome: 'renewed' | 'declined' | 'not_offered' | 'raced' }
  | { readonly outcome: 'refused' | 'unsettled'; readonly code: string };

const raced = { outcome: 'raced' } as const;

/**
 * Renews a membership without the member: opens a basket, and checks it out with the saved method. The basket is recorded in the
 * transaction that opens it, so no crash leaves one that could be charged beside another.
 */
export async function renewMembership(
  deps: ChargeDeps,
  renewal: RenewalRecord,
  offered: OfferedRenewal,
): Promise<Renewed> {
  const { table, orgId, clock } = deps;
  const payer = await readPayer(deps, renewal, offered);
  if ('refused' in payer) return { outcome: 'refused', code: payer.refused };
  if ('declined' in payer) return decline(deps, renewal, offered, payer.declined);
  const nowUnix = unixSeconds(clock);
  const begun = await openAttempt(deps, renewal, offered, nowUnix);
  if (begun === undefined) return raced;
  const { basketId } = begun.attempt;
  const { offer, nextTerm } = offered;
  const decide = (basket: Basket) => addMembership(basket, offer, { quantity: 1, nextTerm }, nowUnix);
  const added = await changeBasket(table, { orgId, basketId, decide });
  if (added.outcome !== 'changed') {
    // The last place was sold since.
    const written = await announce(deps, begun.renewal, { ...offered, quote: null });
    await endBasket(deps, basketId);
    return written === undefined ? raced : { outcome: 'not_offered' };
  }
  const { optionId, consent } = renewal;
  const result = await checkOut(
    deps,
    {
      basketId,
      buyer: payer.buyer,
      paymentMethod: payer.method.paymentMethod,
      // The customer is known by its id, as that of a signed-in fan is, whatever its address.
      signedIn: { user: agreedBy(renewal), userId: renewal.userId },
      payment: { optionId, hasConsent: true, consentText: consent?.text ?? '', isRenewal: true },
      offSession: { customer: payer.method.customer },
    },
    () => [],
  );
  return recordResult(deps, begun.renewal, offered, result);
}

const agreedBy = ({ renewalId }: RenewalRecord) => ({
  issuer: autoRenewalIssuer,
  subject: String(renewalId),
  providerId: 'auto-renewal',
  verifiedEmail: null,
});

interface Payer {
  readonly method: SavedMethod;
  readonly buyer: BasketBuyer;
}

/** Who pays with what; or why nothing can be charged. */
async function readPayer(
  { table, orgId, payments }: ChargeDeps,
  renewal: RenewalRecord,
  { members }: OfferedRenewal,
): Promise<Payer | { readonly declined: string } | { readonly refused: string }> {
  const planId = members[0]?.planId ?? null;
  const [provider, organisation, plan, customer] = await Promise.all([
    payments.current(),
    readOrganisation(table, orgId),
    planId === null ? undefined : readPlan(table, orgId, planId),
    readCustomer(table, orgId, renewal.userId, { consistent: true }),
  ]);
  // Who owes instalments of this term does not begin the next one.
  if (plan !== undefined && outstandingMinor(plan) > 0) return { declined: planOpen };
  const method = methodForRenewal(renewal, plan);
  const emailAddress = customer?.emailAddress ?? null;
  if (method === null || emailAddress === null) return { declined: 'method_missing' };
  const elsewhere = savedElsewhere(method, payeeOf(provider, organisation));
  if (elsewhere !== undefined) return elsewhere === accountChanged ? { declined: elsewhere } : { refused: elsewhere };
  return { method, buyer: { emailAddress, firstName: customer?.firstName ?? '', lastName: customer?.lastName ?? '' } };
}

/**
 * Opens the basket and takes the lease, in one transaction, if the members still belong to the person whose card is charged. Undefined
 * if they do not, or another process was first.
 */
async function openAttempt(
  { table, orgId }: ChargeDeps,
  renewal: RenewalRecord,
  { members }: Pick<OfferedRenewal, 'members'>,
  nowUnix: number,
): Promise<{ readonly renewal: RenewalRecord; readonly attempt: RenewalAttempt } | undefined> {
  let begun = renewal;
  try {
    await openBasket(table, { orgId, nowUnix }, ({ basketId }) => {
      const { after, item } = renewalPut(table, orgId, renewal, beginRenewal(renewal, basketId, nowUnix));
      begun = after;
      const own = members.filter(({ memberId }) => renewal.memberIds.includes(memberId));
      return [item, ...own.map(({ memberId }) => ownerCheck(table, orgId, memberId, renewal.userId))];
    });
  } catch (error) {
    if (!(error instanceof SideEffectsRefused)) throw error;
    return undefined;
  }
  return begun.attempt === null ? undefined : { renewal: begun, attempt: begun.attempt };
}

async function recordResult(
  deps: ChargeDeps,
  begun: RenewalRecord,
  offered: OfferedRenewal,
  result: CheckedOut,
): Promise<Renewed> {
  switch (result.outcome) {
    case 'confirmed':
      return (await end(deps, begun)) ? { outcome: 'renewed' } : raced;
    case 'declined':
      return decline(deps, begun, offered, result.code ?? null);
    case 'method_unknown':
      return result.isGone ? decline(deps, begun, offered, 'method_missing') : giveUp(deps, begun, result.outcome);
    case 'provider_refused':
      return giveUp(deps, begun, result.code);
    case 'refused':
      return giveUp(deps, begun, result.refusal.reason);
    case 'provider_unavailable':
    case 'missing':
      return giveUp(deps, begun, result.outcome);
    case 'payment_mismatch':
      return decline(deps, begun, offered, result.outcome);
    case 'action_required':
      return declineUnauthenticated(deps, begun, offered);
    // The attempt is settled when its lease has ended.
    case 'payment_unknown':
      return { outcome: 'unsettled', code: result.outcome };
  }
}

/** Nobody is there to act, so the payment is cancelled before it is called declined: the member could otherwise pay it later. */
async function declineUnauthenticated(
  deps: ChargeDeps,
  begun: RenewalRecord,
  offered: OfferedRenewal,
): Promise<Renewed> {
  const settled = await settleCheckout(deps, begun.attempt?.basketId ?? 0, () => []);
  if (settled.outcome !== 'reopened') return { outcome: 'unsettled', code: settled.outcome };
  return decline(deps, begun, offered, 'authentication_required');
}

/** Ends an attempt that was not paid, whatever the reason. The next one has another basket, and so another key at the provider. */
async function giveUp(deps: ChargeDeps, begun: RenewalRecord, code: string): Promise<Renewed> {
  const settled = begun.attempt === null ? 'settled' : await settleAttempt(deps, begun, begun.attempt);
  return { outcome: settled === 'settled' ? 'refused' : 'unsettled', code };
}

/** Records the decline first: after a crash, the basket that is left open expires by itself. */
async function decline(
  deps: ChargeDeps,
  renewal: RenewalRecord,
  offered: OfferedRenewal,
  code: string | null,
): Promise<Renewed> {
  const declined = declineRenewal(renewal, { code }, unixSeconds(deps.clock));
  const written = await recordAndTell(deps, renewal, declined, offered);
  if (renewal.attempt !== null) await endBasket(deps, renewal.attempt.basketId);
  return written === undefined ? raced : { outcome: 'declined' };
}

async function end({ table, orgId }: ChargeDeps, renewal: RenewalRecord): Promise<boolean> {
  return (await saveRenewal(table, orgId, renewal, endRound(renewal))) !== undefined;
}

/** Ends a basket that nobody checks out. One that is being checked out, or is an order, stays as it is. */
function endBasket({ table, orgId, clock }: ChargeDeps, basketId: number) {
  const nowUnix = unixSeconds(clock);
  return changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, nowUnix) });
}

/**
 * Settles an attempt that no process works on. A basket that is paid becomes the order; one that is not is ended, so that nobody can
 * check it out any more, and only then may another attempt begin.
 */
export async function settleAttempt(
  deps: ChargeDeps,
  renewal: RenewalRecord,
  { basketId }: RenewalAttempt,
): Promise<'settled' | 'unknown'> {
  const { table, orgId, clock } = deps;
  const basket = await readBasket(table, orgId, basketId);
  const status = basket === undefined ? 'cancelled' : basketStatusAt(basket, unixSeconds(clock));
  if (status === 'checked_out') {
    await end(deps, renewal);
    return 'settled';
  }
  if (status === 'checking_out') {
    const { outcome } = await settleCheckout(deps, basketId, () => []);
    // The next look finds what became of it.
    return outcome === 'confirmed' || outcome === 'reopened' || outcome === 'payment_mismatch' ? 'settled' : 'unknown';
  }
  const ended = basket === undefined ? undefined : await endBasket(deps, basketId);
  if (ended?.outcome !== 'refused') await saveRenewal(table, orgId, renewal, dropAttempt(renewal));
  return 'settled';
}
