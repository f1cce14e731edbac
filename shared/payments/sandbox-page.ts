import { moneyText } from '../domain/money.ts';
import type { SandboxCharge } from './sandbox-charges.ts';

/** A response of a route that returns no JSON. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The page where a buyer decides about a payment of the sandbox: two plain forms, without script, style or image. The browser
 * follows the redirect of a form only to an origin that `form-action` allows.
 */
export function decisionPage(charge: SandboxCharge): PageResponse {
  const amount = moneyText(charge.amountMinor, charge.currency);
  return page(
    200,
    [`<p>A payment of ${escapeHtml(amount)}. No money moves.</p>`, form('approve', 'Approve'), form('fail', 'Fail')],
    charge,
  );
}

/** Sends the buyer back. The query has the names that Stripe's own redirect has, so that one page understands both. */
export function decidedResponse(charge: SandboxCharge): PageResponse {
  if (charge.returnUrl === null) return outcomePage(charge);
  const location = new URL(charge.returnUrl);
  location.searchParams.set('payment_intent', charge.chargeId);
  location.searchParams.set('redirect_status', charge.status === 'paid' ? 'succeeded' : 'failed');
  const { headers } = page(303, [], charge);
  return { status: 303, headers: { ...headers, Location: location.href }, body: '' };
}

/** The page of a payment that was decided before. A buyer can dispute what was paid, as at a bank. */
export function outcomePage(charge: SandboxCharge): PageResponse {
  const outcome = charge.status === 'paid' ? 'was approved' : 'failed or was cancelled';
  const link = charge.returnUrl === null ? '' : `<p><a href="${escapeHtml(charge.returnUrl)}">Back to the shop</a></p>`;
  const dispute = charge.status === 'paid' ? form('dispute', 'Dispute this payment') : '';
  return page(200, [`<p>This payment ${outcome}. You can close this page.</p>`, link, dispute], charge);
}

/** The answer to a dispute. The shop learns of it from the event order.disputed, once there is an order. */
export function disputedPage(charge: SandboxCharge): PageResponse {
  return page(200, ['<p>The bank has the dispute. You can close this page.</p>'], charge);
}

export function missingPage(): PageResponse {
  return page(404, ['<p>No such payment.</p>']);
}

function form(decision: string, label: string): string {
  return `<form method="post"><input type="hidden" name="decision" value="${decision}"><button>${label}</button></form>`;
}

function page(status: number, content: readonly string[], charge?: SandboxCharge): PageResponse {
  const returnOrigin = charge?.returnUrl ? ` ${new URL(charge.returnUrl).origin}` : '';
  const title = 'Payment sandbox';
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; form-action 'self'${returnOrigin}; frame-ancestors 'none'; base-uri 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head><body><main><h1>${title}</h1>${content.join('')}</main></body></html>`,
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
