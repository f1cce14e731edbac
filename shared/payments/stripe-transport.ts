import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** The address of Stripe's API. Tests use their own server. */
export interface StripeAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

type Field = string | number | boolean | readonly Field[] | { readonly [name: string]: Field };

export interface StripeCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields?: Readonly<Record<string, Field>>;
  /** The connected account of the call; null for our own account. */
  readonly account: string | null;
  /** Required for a call that must take effect only once, because it may be sent twice. */
  readonly idempotencyKey?: string;
}

export interface StripeResponse {
  readonly status: number;
  readonly text: string;
  /** The header Stripe-Should-Retry, which most responses do not have. */
  readonly shouldRetry: unknown;
}

export type StripeTransport = (call: StripeCall, signal: AbortSignal) => Promise<StripeResponse>;

/** The pinned API version: later changes of Stripe's API do not affect us. */
export const stripeVersion = '2026-10-28.endive';

/** Sends one call over HTTP. */
export function stripeTransport(secretKey: string, { host, port, protocol }: StripeAddress): StripeTransport {
  const isPlain = protocol === 'http';
  const agent = new (isPlain ? HttpAgent : HttpsAgent)({ keepAlive: true });
  return ({ method, path, fields = {}, account, idempotencyKey }, signal) => {
    const form = new URLSearchParams(formPairs('', fields)).toString();
    const headers = {
      Authorization: `Bearer ${secretKey}`,
      'Stripe-Version': stripeVersion,
      'User-Agent': 'Gateline/1',
      ...(account !== null && { 'Stripe-Account': account }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    };
    const address = method === 'GET' && form !== '' ? `${path}?${form}` : path;
    return new Promise((resolve, reject) => {
      const request = (isPlain ? requestHttp : requestHttps)({
        host,
        port,
        method,
        path: address,
        headers,
        agent,
        signal,
      });
      request.once('error', reject);
      request.once('response', async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, shouldRetry: response.headers['stripe-should-retry'] });
        } catch (error) {
          reject(error);
        }
      });
      request.end(method === 'POST' ? form : undefined);
    });
  };
}

/** `metadata[gateline_org]=…`, `allowed_payment_method_types[0]=card`. */
function formPairs(name: string, value: Field): [string, string][] {
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([inner, item]) => formPairs(name === '' ? inner : `${name}[${inner}]`, item));
}
