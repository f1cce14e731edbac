import { majorUnits } from '../domain/money.ts';
import type { Payment } from '../operations/schemas/payment.ts';

/** The part of a payment that a client sees. */
interface ShownPayment {
  readonly provider: { readonly name: string; readonly publishableKey: string | null };
  readonly account: string | null;
  readonly payment: {
    readonly status: Payment['status'];
    readonly amountMinor: number;
    readonly currency: string;
    readonly clientSecret: string | null;
    readonly nextAction: {
      readonly type: string;
      readonly url: string | null;
      readonly returnUrl: string | null;
    } | null;
  };
}

export function paymentResource({ provider, account, payment }: ShownPayment): Payment {
  const { status, amountMinor, currency, clientSecret, nextAction } = payment;
  return {
    provider: provider.name,
    status,
    amount: majorUnits(amountMinor, currency),
    currency,
    client_secret: clientSecret,
    publishable_key: provider.publishableKey,
    account,
    next_action: nextAction && {
      type: nextAction.type,
      redirect_to_url: nextAction.url === null ? null : { url: nextAction.url, return_url: nextAction.returnUrl },
    },
  };
}
