import { majorUnits } from '../domain/money.ts';
import type { MethodSetup, Payment } from '../operations/schemas/payment.ts';

interface ShownAt {
  readonly provider: { readonly name: string; readonly publishableKey: string | null };
  readonly account: string | null;
}

interface ShownState {
  readonly status: Payment['status'];
  readonly clientSecret: string | null;
  readonly nextAction: {
    readonly type: string;
    readonly url: string | null;
    readonly returnUrl: string | null;
  } | null;
}

/** The part of a payment that a client sees. */
interface ShownPayment extends ShownAt {
  readonly payment: ShownState & { readonly amountMinor: number; readonly currency: string };
}

export function paymentResource({ provider, account, payment }: ShownPayment): Payment {
  const { amountMinor, currency } = payment;
  const { provider: name, status, ...rest } = setupResource({ provider, account, setup: payment });
  return { provider: name, status, amount: majorUnits(amountMinor, currency), currency, ...rest };
}

/** The saving of a method as a client sees it: a payment of nothing. */
export function setupResource({ provider, account, setup }: ShownAt & { readonly setup: ShownState }): MethodSetup {
  const { status, clientSecret, nextAction } = setup;
  return {
    provider: provider.name,
    status,
    client_secret: clientSecret,
    publishable_key: provider.publishableKey,
    account,
    next_action: nextAction && {
      type: nextAction.type,
      redirect_to_url: nextAction.url === null ? null : { url: nextAction.url, return_url: nextAction.returnUrl },
    },
  };
}
