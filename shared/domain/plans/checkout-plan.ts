import type { PlannedInstalment } from './schedule.ts';

/** The shares of one membership of the basket. The first is paid with the basket. */
export interface LinePlan {
  readonly lineId: number;
  readonly instalments: readonly PlannedInstalment[];
}

/** What a checkout keeps of the choice, if something is charged after the purchase. */
export interface CheckoutPlan {
  readonly optionId: string;
  readonly lines: readonly LinePlan[];
  readonly consentText: string;
  /** Whether the memberships renew themselves from now on; absent if they do not. */
  readonly autoRenews?: boolean | undefined;
  /** The method that paid on a page, for the later charges; null if the request named it, and until it has paid. */
  readonly savedMethod: string | null;
}
