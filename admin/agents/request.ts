import { type Operation, readsBody } from '../../shared/operations/operation.ts';
import { refusal } from '../failure.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly method: Operation['method'];
  /** With the query. */
  readonly path: string;
  readonly body: Arguments | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The request that a call of the operation's tool means. Each argument goes where the operation reads it. */
export function requestOf(operation: Operation, given: Arguments): ApiRequest {
  const { params, query, body } = operation.input;
  const path = operation.paths[0].replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given[name])));
  const rest = Object.entries(given).filter(([name]) => !Object.hasOwn(params.entries, name));
  const isQuery = (name: string): boolean => Object.hasOwn(query.entries, name) || !readsBody(operation);
  const search = new URLSearchParams(
    rest.filter(([name]) => isQuery(name)).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const sent = Object.fromEntries(rest.filter(([name]) => !isQuery(name)));
  return {
    method: operation.method,
    path: search.size === 0 ? path : `${path}?${search}`,
    body: Object.keys(body.entries).length > 0 && readsBody(operation) ? sent : undefined,
  };
}

/** An answer can take as long as a payment. */
const timeoutMs = 60_000;

export async function send(
  address: string,
  { method, path, body }: ApiRequest,
  key: string,
  idempotencyKey?: string,
): Promise<ApiAnswer> {
  const response = await fetch(`${address.replace(/\/+$/, '')}${path}`, {
    method,
    // A key is sent to the stage and nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && method === 'POST' && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal('no_answer', `${address} does not answer (${reason}). It may have carried the call out.`);
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw refusal('no_json', `${address} answered ${response.status} without JSON. Is it the address of the API?`);
  }
}
