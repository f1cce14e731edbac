import type { Payment } from '../resources.ts';
import type { RefusedSeats } from '../seats/resources.ts';
import { config } from './config.ts';

/** The API has refused a request, or could not be reached (`code` is `offline`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** What the buyer has to do, with the code `payment_action_required`. */
  readonly payment: Payment | undefined;
  /** The seats that the error is about. */
  readonly seats: RefusedSeats | undefined;
  /** Everything that is wrong with the request, and with which parameter. */
  readonly problems: readonly Problem[];

  constructor(status: number, answer: ErrorAnswer, retryAfterSeconds?: number) {
    super(answer.error.message);
    this.status = status;
    this.code = answer.error.code;
    this.payment = answer.payment;
    this.seats = answer.seats;
    this.problems = answer.errors ?? [answer.error];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
}

interface ErrorAnswer {
  readonly error: Problem;
  readonly errors?: readonly Problem[];
  readonly payment?: Payment;
  readonly seats?: RefusedSeats;
}

export interface CallOptions {
  readonly body?: object;
  readonly basketToken?: string;
  readonly ssoToken?: string;
  readonly gateToken?: string;
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

/** A read is safe to repeat, so a busy service is asked again before the fan sees an error. */
const readAttempts = 3;

/** Calls the API from the page, with the storefront token or with a gate token. */
export function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const request = () => callOnce<Answer>(method, path, options);
  return method === 'GET' ? retried(request, readAttempts) : request();
}

async function callOnce<Answer>(method: string, path: string, options: CallOptions): Promise<Answer> {
  const { simple, ssoToken, fresh } = options;
  const response = await send(`${config().apiUrl}${path}`, {
    method,
    ...(simple && ssoToken === undefined ? asSimpleForm(options) : withHeaders(options)),
    ...(fresh && { cache: 'no-cache' }),
  });
  return answerOf<Answer>(response);
}

/** The answer of a response, or its error. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  throw new ApiError(
    response.status,
    isErrorAnswer(answer) ? answer : unreadable(response.status),
    Number(response.headers.get('Retry-After')) || undefined,
  );
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

export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new ApiError(0, { error: { code: 'offline', message: 'The service could not be reached.' } });
  }
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}

const unreadable = (status: number): ErrorAnswer => ({
  error: { code: 'unreadable', message: `The service answered ${status}.` },
});

/** Repeats a request whose outcome is not known, or which the service asks to send later. */
export async function retried<Answer>(request: () => Promise<Answer>, attempts = 6): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (attempts <= 1 || !(error instanceof ApiError) || !mayHelp(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? 1) * 1000));
    return retried(request, attempts - 1);
  }
}

const laterCodes = ['checkout_in_progress', 'idempotency_in_progress', 'offline'];

function mayHelp({ status, code, retryAfterSeconds = 0 }: ApiError): boolean {
  return retryAfterSeconds <= 5 && (status >= 500 || status === 429 || laterCodes.includes(code));
}
