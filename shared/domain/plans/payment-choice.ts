import type { Basket } from '../baskets/basket.ts';
import { isMembershipLine, type MembershipLine } from '../baskets/line-item.ts';
import { basketAmounts, lineItemAmounts } from '../baskets/money.ts';
import { sumOf } from '../money.ts';
import type { CheckoutPlan, LinePlan } from './checkout-plan.ts';
import { fitsInOrder } from './order-items.ts';
import { laterMinor, type OfferedPayment, type PlannedInstalment, scheduleOf } from './schedule.ts';

/** What the buyer chose, and agreed to. */
export interface PaymentChoice {
  /** Null: everything is paid at once. */
  readonly optionId: string | null;
  readonly hasConsent: boolean;
  readonly consentText: string | null;
  /** Whether the service renews the membership by an earlier agreement. */
  readonly isRenewal?: boolean | undefined;
}

export const paidAtOnce: PaymentChoice = { optionId: null, hasConsent: false, consentText: null };

/** A way to pay for a basket. */
export interface PaymentOption {
  readonly optionId: string;
  readonly title: string;
  readonly dueNowMinor: number;
  /** What is due later, of all memberships together. */
  readonly later: readonly PlannedInstalment[];
  readonly lines: readonly LinePlan[];
  /** Whether the memberships renew themselves. */
  readonly autoRenewal: boolean;
}

/** The ways to pay for a basket: those that every membership in it offers, and whose plans and auto-renewals fit into its order. */
export function paymentOptions(
  { basketId, lines, currency }: Pick<Basket, 'basketId' | 'lines' | 'currency'>,
  nowUnix: number,
): readonly PaymentOption[] {
  const memberships = lines.filter(isMembershipLine);
  const [first, ...others] = memberships.map(({ payments }) => payments?.options ?? []);
  const common = (first ?? []).filter(({ optionId }) =>
    others.every((options) => options.some((option) => option.optionId === optionId)),
  );
  const { totalMinor } = basketAmounts(lines);
  const options = common.map(({ optionId, title, autoRenewal = false }) => {
    const planned = memberships.map((line) => ({
      lineId: line.lineId,
      instalments: lineSchedule(line, optionId, { currency: currency ?? '', nowUnix, seed: basketId }),
    }));
    const dueNowMinor = totalMinor - sumOf(planned.map(({ instalments }) => laterMinor(instalments)));
    return { optionId, title, dueNowMinor, later: laterTogether(planned), lines: planned, autoRenewal };
  });
  // Without a payment no method is saved, so nothing could renew itself.
  return options
    .filter(({ autoRenewal, dueNowMinor }) => !autoRenewal || dueNowMinor > 0)
    .filter(({ autoRenewal: autoRenews, lines: plans }) => {
      const later = { plans: plans.filter(isInInstalments).length, autoRenews };
      return (later.plans === 0 && !autoRenews) || fitsInOrder(lines, later);
    });
}

const isInInstalments = ({ instalments }: LinePlan): boolean => instalments.length > 1;

/** Shares the price less adjustments. Fees are due at once. */
function lineSchedule(
  line: MembershipLine,
  optionId: string,
  about: { readonly currency: string; readonly nowUnix: number; readonly seed: number },
): readonly PlannedInstalment[] {
  const { totalMinor, feesMinor } = lineItemAmounts(line);
  const option: OfferedPayment | undefined = line.payments?.options.find((one) => one.optionId === optionId);
  const purchase = { ...about, amountMinor: totalMinor - feesMinor };
  return line.payments && option ? scheduleOf(line.payments, option, purchase) : [];
}

function laterTogether(planned: readonly LinePlan[]): readonly PlannedInstalment[] {
  const sums = new Map<number, number>();
  for (const { dueUnix, amountMinor } of planned.flatMap(({ instalments }) => instalments.slice(1))) {
    sums.set(dueUnix, (sums.get(dueUnix) ?? 0) + amountMinor);
  }
  return [...sums].map(([dueUnix, amountMinor]) => ({ dueUnix, amountMinor })).sort((a, b) => a.dueUnix - b.dueUnix);
}

export type ChosenPayment =
  | { readonly outcome: 'chosen'; readonly amountMinor: number; readonly plan: CheckoutPlan | null }
  | { readonly outcome: 'refused'; readonly reason: 'payment_option_not_offered' | 'consent_missing' };

/** Judges a choice. Whatever is charged later needs the consent of the buyer, and the text that the buyer agreed to. */
export function choosePayment(
  basket: Pick<Basket, 'basketId' | 'lines' | 'currency'>,
  { optionId, hasConsent, consentText, isRenewal = false }: PaymentChoice,
  nowUnix: number,
): ChosenPayment {
  const { totalMinor } = basketAmounts(basket.lines);
  if (optionId === null) return { outcome: 'chosen', amountMinor: totalMinor, plan: null };
  const option = paymentOptions(basket, nowUnix).find((one) => one.optionId === optionId);
  if (option === undefined) return { outcome: 'refused', reason: 'payment_option_not_offered' };
  const lines = option.lines.filter(isInInstalments);
  // What renews itself was agreed to before.
  const autoRenews = option.autoRenewal && !isRenewal;
  if (lines.length === 0 && !autoRenews) return { outcome: 'chosen', amountMinor: totalMinor, plan: null };
  if (!hasConsent || consentText === null) return { outcome: 'refused', reason: 'consent_missing' };
  return {
    outcome: 'chosen',
    amountMinor: option.dueNowMinor,
    plan: { optionId, lines, consentText, savedMethod: null, ...(autoRenews && { autoRenews }) },
  };
}
