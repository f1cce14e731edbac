import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** Where Stripe's API is; tests have one of their own. */
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
  /** The connected account that it is done on; null for our own. */
  readonly account: string | null;
  /** What a call that must not be done twice needs, because it may be sent twice. */
  readonly idempotencyKey?: string;
}

export interface StripeResponse {
  readonly status: number;
  readonly text: string;
  /** Stripe's own word on whether it would help to ask again; mostly it has none. */
  readonly shouldRetry: unknown;
}

export type StripeTransport = (call: StripeCall, signal: AbortSignal) => Promise<StripeResponse>;

/** The version of the API that this was written for: what Stripe changes later does not reach us. */
export const stripeVersion = '2026-10-28.endive';

/** One call over HTTP, and what came back. */
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
      request.once('response', async (answer) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk);
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, text, shouldRetry: answer.headers['stripe-should-retry'] });
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
