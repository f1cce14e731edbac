import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { vi } from 'vitest';

/** The code of docs/payments.md, which tests run as it is. */
export const [, paymentsPageCode = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];

const Functions = v.object({
  gateline: v.function(),
  openBasket: v.function(),
  preparePayment: v.function(),
  pay: v.function(),
  finish: v.function(),
});

export async function loadPaymentsPage(): Promise<v.InferOutput<typeof Functions>> {
  return v.parse(Functions, { ...(await import(`data:text/javascript,${encodeURIComponent(paymentsPageCode)}`)) });
}

interface Confirmation {
  readonly publishableKey: string;
  readonly stripeAccount: string;
  readonly clientSecret: string;
  readonly returnUrl: string;
}

/** The part of Stripe.js and of the browser that the page uses. The buyer submits the form as soon as the page listens. */
export function stubStripeComponent(confirm: (confirmation: Confirmation) => void): void {
  const library = (publishableKey: string, { stripeAccount }: { stripeAccount: string }) => ({
    elements: ({ clientSecret }: { clientSecret: string }) => ({
      clientSecret,
      create: () => ({ mount: () => undefined }),
    }),
    confirmPayment: async (request: {
      readonly elements: { readonly clientSecret: string };
      readonly confirmParams: { readonly return_url: string };
    }) => {
      const { clientSecret } = request.elements;
      confirm({ publishableKey, stripeAccount, clientSecret, returnUrl: request.confirmParams.return_url });
      return {};
    },
  });
  const submitted = (_name: string, submit: (event: unknown) => unknown) => submit({ preventDefault: () => undefined });
  vi.stubGlobal('Stripe', library);
  vi.stubGlobal('document', { getElementById: () => ({ addEventListener: submitted }) });
}
