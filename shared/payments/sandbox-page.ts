import { moneyText } from '../domain/money.ts';
import { escapeHtml } from '../platform/html.ts';
import { isSetup, type SandboxCharge } from './sandbox-charges.ts';
import { style, styleSource } from './sandbox-page-style.ts';

/** A response of a route that returns no JSON. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A payment of the sandbox, and the name of the organisation that is paid. */
export interface ShownPayment {
  readonly charge: SandboxCharge;
  readonly payee: string;
}

/** The page where a buyer decides about a payment of the sandbox. */
export function decisionPage(shown: ShownPayment): PageResponse {
  return page(200, isSetup(shown.charge) ? 'Save this card?' : 'Approve this payment?', {
    shown,
    text: 'This page plays the buyer’s bank, which asks for approval with 3-D Secure.',
    actions: [button('approve', 'Approve', true), button('fail', 'Fail')],
  });
}

/** Sends the buyer back. The query has the names that Stripe's own redirect has, so one page understands both. */
export function decidedResponse(shown: ShownPayment): PageResponse {
  const { chargeId, status, returnUrl } = shown.charge;
  const outcome = outcomePage(shown);
  if (returnUrl === null) return outcome;
  const location = new URL(returnUrl);
  location.searchParams.set(isSetup(shown.charge) ? 'setup_intent' : 'payment_intent', chargeId);
  location.searchParams.set('redirect_status', status === 'paid' ? 'succeeded' : 'failed');
  return { status: 303, headers: { ...outcome.headers, Location: location.href }, body: '' };
}

/** The page of a payment that was decided before. A buyer can dispute what was paid, as at a bank. */
export function outcomePage(shown: ShownPayment): PageResponse {
  const { charge } = shown;
  const isPaid = charge.status === 'paid';
  const { returnUrl } = charge;
  const approved = isSetup(charge) ? 'This card was saved' : 'This payment was approved';
  const failed = isSetup(charge) ? 'This card was not saved' : 'This payment failed or was cancelled';
  return page(200, isPaid ? approved : failed, {
    shown,
    text: 'This page plays the buyer’s bank. You can close it.',
    actions: [
      returnUrl === null ? '' : `<a class="first" href="${escapeHtml(returnUrl)}">Back to the shop</a>`,
      isPaid && !isSetup(charge) ? button('dispute', 'Dispute this payment') : '',
    ],
  });
}

/** The answer to a dispute. The shop learns of it from the event order.disputed, once there is an order. */
export function disputedPage(shown: ShownPayment): PageResponse {
  return page(200, 'The bank has the dispute', {
    shown,
    text: 'This page plays the buyer’s bank. You can close it.',
    actions: [],
  });
}

export function missingPage(): PageResponse {
  return page(404, 'No such payment', { text: 'Go back to the shop and pay again.', actions: [] });
}

function button(decision: string, label: string, isFirst = false): string {
  const first = isFirst ? ' class="first"' : '';
  return `<form method="post"><input type="hidden" name="decision" value="${decision}"><button${first}>${label}</button></form>`;
}

function details({ charge, payee }: ShownPayment): string {
  const amount = isSetup(charge) ? 'Nothing now' : moneyText(charge.amountMinor, charge.currency);
  return `<dl>${[
    `<div><dt>Amount</dt><dd class="amount">${escapeHtml(amount)}</dd></div>`,
    `<div><dt>To</dt><dd>${escapeHtml(payee)}</dd></div>`,
    `<div><dt>Payment</dt><dd>${escapeHtml(charge.chargeId)}</dd></div>`,
  ].join('')}</dl>`;
}

interface Content {
  readonly shown?: ShownPayment;
  readonly text: string;
  readonly actions: readonly string[];
}

/**
 * A page of plain HTML without script or image. Its policy allows its one style by its hash. The browser follows the redirect of a
 * form only to an origin that `form-action` allows.
 */
function page(status: number, title: string, { shown, text, actions }: Content): PageResponse {
  const returnUrl = shown?.charge.returnUrl;
  const returnOrigin = returnUrl ? ` ${new URL(returnUrl).origin}` : '';
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `form-action 'self'${returnOrigin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – payment sandbox</title><style>${style}</style>`;
  const main = `<h1>${title}</h1><p>${text}</p>${shown === undefined ? '' : details(shown)}${actions.join('')}`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
    body: `<!doctype html><html lang="en"><head>${head}</head><body><header>Payment sandbox: no money moves</header><main>${main}</main></body></html>`,
  };
}
