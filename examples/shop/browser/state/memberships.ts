import type { List, NextStep, PaymentPlan, SavedCard } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import type { FanMembership, MembershipType, MemberTerm, PaymentChoice, PaymentOption } from '../resources.ts';
import { call } from './api.ts';
import { type Begun, requestOf } from './begun.ts';
import { day } from './format.ts';
import { type RenewalOffer, renewalOffer } from './renewal-offer.ts';
import { remember, session, signedIn } from './session.ts';

/** The memberships of the catalogue, also those that are not sold yet or any more. */
export async function membershipTypes(): Promise<readonly MembershipType[]> {
  return (await call<List<MembershipType>>('GET', '/v1/membership_types')).data;
}

/** Whether a membership is sold now. */
export function isSold({ currency, available_from_unix, available_until_unix }: MembershipType): boolean {
  const nowUnix = nowMs() / 1000;
  return currency !== null && (available_from_unix ?? 0) <= nowUnix && (available_until_unix ?? nowUnix + 1) > nowUnix;
}

export function paymentChoice(option: PaymentOption, currency: string): PaymentChoice {
  const { membership_payment_option_id } = option;
  const text = consentText(option, currency);
  return { membership_payment_option_id, ...(text !== undefined && { consent: true, consent_text: text }) };
}

/** What a buyer agrees to; undefined if nothing is charged later. */
export function consentText({ instalments, auto_renewal }: PaymentOption, currency: string): string | undefined {
  const shares = instalments.map(({ due, amount }) => `${money(amount, currency)} on ${day(due)}`);
  const sentences = [
    ...(shares.length > 0 ? [`You may charge my card ${shares.join(', ')}.`] : []),
    ...(auto_renewal ? [renewalConsent] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** What a member agrees to who switches auto-renewal on. */
export const renewalConsent =
  'You may renew my membership at its end and charge my card. You tell me 30 and 7 days before, and I can stop it.';

export interface OwnMembership {
  readonly membership: FanMembership;
  readonly terms: readonly MemberTerm[];
  /** Undefined if it was paid at once. */
  readonly plan: PaymentPlan | undefined;
  /** The next term; undefined if there is none. */
  readonly next: RenewalOffer | undefined;
  /** The saved card as far as this page knows it: that of the plan, or the one that was saved here. */
  readonly card: SavedCard | undefined;
  readonly types: readonly MembershipType[];
}

/** A membership of the signed-in fan; undefined if the fan has no such membership. */
export async function ownMembership(memberId: string): Promise<OwnMembership | undefined> {
  const { data } = await call<List<FanMembership>>('GET', '/v1/sso/memberships', signedIn());
  const membership = data.find(({ membership_member_id }) => String(membership_member_id) === memberId);
  if (membership === undefined) return undefined;
  const [{ data: terms }, plan, types] = await Promise.all([
    call<List<MemberTerm>>('GET', `/v1/members/${memberId}/terms`, signedIn()),
    call<PaymentPlan>('GET', `/v1/members/${memberId}/payment_plan`, signedIn()).catch(missing),
    membershipTypes(),
  ]);
  const { savedCard } = session();
  const card = plan?.payment_method ?? (savedCard?.memberId === memberId ? savedCard.card : undefined);
  return { membership, terms, plan, types, card, next: renewalOffer({ membership, terms }, types, nowMs() / 1000) };
}

function missing(error: unknown): undefined {
  if (!hasCode(error, 'resource_not_found')) throw error;
  return undefined;
}

/**
 * Pays an instalment, and saves the card for the next ones if the fan wants that; or saves another card. With this card, or on the page of the provider. Returns what
 * the fan has to do there, and nothing if it is done. After that page the same request asks how it went.
 */
export async function act(begun: Begun): Promise<NextStep | undefined> {
  const { what, memberId } = begun;
  remember({ begun });
  const options = { body: requestOf(begun, `${location.origin}${pageOf(memberId)}`), ...signedIn() };
  const [method, part] = what === 'card' ? ['PUT', 'payment_method'] : ['POST', 'payment_plan/payments'];
  try {
    const done = await call<Done>(method, `/v1/members/${memberId}/${part}`, options);
    if (done.payment_method) remember({ savedCard: { memberId, card: done.payment_method } });
    const next = done.payment ?? done.setup;
    if (next) return next;
  } catch (error) {
    if (error instanceof ApiError && error.payment !== undefined) return error.payment;
    remember({ begun: undefined });
    throw error;
  }
  remember({ begun: undefined });
  return undefined;
}

/** The page of a membership. */
export const pageOf = (memberId: string): string => `/memberships/${memberId}`;

/** What was paid or saved: with a next step, the fan has to do something first. */
interface Done {
  readonly payment?: NextStep | null;
  readonly setup?: NextStep | null;
  readonly payment_method?: SavedCard | null;
}

/** Whether the membership renews itself. The member has read and agreed to the words that are kept. */
export async function setRenewal(memberId: string, auto_renew: boolean): Promise<void> {
  const body = { auto_renew, ...(auto_renew && { consent: true, consent_text: renewalConsent }) };
  await call('PUT', `/v1/members/${memberId}/auto_renew`, { body, ...signedIn() });
}

/** The fan leaves when the membership ends. */
export async function cancelAtEnd(memberId: string): Promise<void> {
  await call('POST', `/v1/members/${memberId}/cancel`, { body: { when: 'end' }, ...signedIn() });
}
