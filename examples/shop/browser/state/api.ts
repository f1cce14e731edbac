import { config } from '../../../site/browser/state/config.ts';
import { answerOf, retried, send } from '../../../site/browser/state/request.ts';

export interface CallOptions {
  readonly body?: object;
  readonly basketToken?: string;
  readonly ssoToken?: string;
  readonly gateToken?: string;
  /** When the request is given up, as if there were no connection. */
  readonly timeoutMs?: number;
  /** The same value for every attempt makes an addition happen once. */
  readonly idempotencyKey?: string;
  /** Whether the browser must ask the service although it has a copy of the answer that may still be used. */
  readonly fresh?: boolean;
  /**
   * Whether the operation accepts the tokens as fields of a form. The browser then sends the request at once, and otherwise a
   * preflight request before it. The token of a fan is never a field, so the purchase of a fan who is signed in needs headers.
   */
  readonly simple?: boolean;
}

/** Asks the shop's own server for what only it can know. */
export async function askShop<Answer>(path: string, body?: object): Promise<Answer> {
  return answerOf(await send(path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }));
}

/** A read is safe to repeat, so a busy service is asked again before the fan sees an error. */
const readAttempts = 3;

/** Calls the API from the page, with the storefront token or with a gate token. */
export function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const request = () => callOnce<Answer>(method, path, options);
  return method === 'GET' ? retried(request, readAttempts) : request();
}

async function callOnce<Answer>(method: string, path: string, options: CallOptions): Promise<Answer> {
  const { simple, ssoToken, fresh, timeoutMs } = options;
  const response = await send(`${config().apiUrl}${path}`, {
    method,
    ...(simple && ssoToken === undefined ? asSimpleForm(options) : withHeaders(options)),
    ...(fresh && { cache: 'no-cache' }),
    ...(timeoutMs && { signal: AbortSignal.timeout(timeoutMs) }),
  });
  return answerOf<Answer>(response);
}

function withHeaders({ body, basketToken, ssoToken, gateToken, idempotencyKey }: CallOptions): RequestInit {
  return {
    headers: {
      Authorization: `Bearer ${gateToken ?? config().storefrontToken}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(basketToken && { 'X-Basket-Token': basketToken }),
      ...(ssoToken && { 'X-SSO-Token': ssoToken }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

function asSimpleForm({ body = {}, basketToken, idempotencyKey }: CallOptions): RequestInit {
  const tokens = {
    storefront_token: config().storefrontToken,
    ...(basketToken && { basket_token: basketToken }),
    ...(idempotencyKey && { idempotency_key: idempotencyKey }),
  };
  return { body: new URLSearchParams(fieldsOf({ ...body, ...tokens })) };
}

/** The fields of an object in the notation of a form: `customer[email]`. An empty value is null. */
function fieldsOf(value: object, prefix = ''): string[][] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}[${key}]`;
    return typeof inner === 'object' && inner !== null ? fieldsOf(inner, name) : [[name, String(inner ?? '')]];
  });
}
