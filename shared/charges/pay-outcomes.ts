import type { DeclineReason } from '../domain/payments/decline.ts';
import type { PlanRecord } from '../domain/plans/plan.ts';
import type { paymentResource } from '../mappers/payment.ts';
import type { MethodUnknown } from '../payments/provider.ts';

export interface PayCommand {
  readonly planId: number;
  /** Null: the oldest that is due, else the next. */
  readonly number: number | null;
  /** Null: the member pays on the page of the organisation. */
  readonly paymentMethod: string | null;
  /** Whether the card that pays replaces the saved one. */
  readonly saves?: boolean | undefined;
  /** The customer of the membership; absent if it is the one who agreed to the plan. */
  readonly userId?: number | null | undefined;
  readonly returnUrl: string | null;
}

type ShownPayment = ReturnType<typeof paymentResource>;

export type PayResult =
  /** The instalment is paid, now or before. */
  | { readonly outcome: 'paid'; readonly plan: PlanRecord }
  | { readonly outcome: 'prepared'; readonly plan: PlanRecord; readonly payment: ShownPayment }
  | NotPaid;

/** Why an instalment is not paid. */
export type NotPaid =
  | { readonly outcome: 'action_required'; readonly payment: ShownPayment }
  | ({ readonly outcome: 'declined' } & DeclineReason)
  | MethodUnknown
  | { readonly outcome: 'provider_unavailable' | 'payment_unknown' | 'in_progress' }
  | { readonly outcome: 'provider_refused'; readonly code: string }
  /** `other_person`: a card can only be saved by the person who agreed to the plan. */
  | {
      readonly outcome: 'account_missing' | 'missing' | 'not_due' | 'cancelled' | 'no_such_instalment' | 'other_person';
    };
