import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import type { StripeAddress } from '../../shared/payments/stripe-client.ts';
import {
  cancel,
  confirm,
  failure,
  type Intent,
  metadataOf,
  newIntent,
  type StripeResponse,
  shown,
  succeed,
  success,
  unavailable,
} from '../../tools/fixtures/stripe-intents.ts';
import { StripeSetups } from './stripe-setups.ts';

interface Refund {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly metadata: Record<string, string>;
  readonly status: string;
}

const minimumAmount = 50;

/**
 * The fault of the next matching call. `lost`: it is carried out, but the response never arrives. `cut`: only half of
 * the response arrives. A status: it is not carried out, and Stripe responds with this status. A response: Stripe gives it, and
 * repeats it for the same idempotency key.
 */
export type StripeFault = 'lost' | 'cut' | 'refused' | 'hangs' | 'garbled' | 409 | 429 | 500 | StripeResponse;

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly call: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly headers: IncomingHttpHeaders;
}

/**
 * The part of Stripe's HTTP API that we use, with what we rely on: idempotency keys that replay the first response and
 * refuse other parameters, statuses that change once, accounts that cannot see each other, and cards that are declined.
 */
export class StripeDouble {
  readonly intents: Intent[] = [];
  readonly refunds: Refund[] = [];
  readonly setups = new StripeSetups();
  readonly requests: ReceivedRequest[] = [];
  customers = 0;
  /** The only accepted key; a test can roll it. */
  secretKey = 'sk_test_double';
  readonly #responses = new Map<string, { readonly asked: string; readonly result: StripeResponse }>();
  readonly #faults: { readonly path: RegExp; readonly kind: StripeFault }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<StripeAddress> {
    return { host: '127.0.0.1', port: await listen(this.#server, 0), protocol: 'http' };
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  /** What a buyer does with Stripe's component or on the page of the bank. It is refused when the payment has ended. */
  actAsBuyer(id: string, outcome: 'pay' | 'fail' | 'authenticate' | 'process', kind = 'card'): boolean {
    const intent = this.intents.find((one) => one.id === id);
    if (intent?.status !== 'requires_payment_method' && intent?.status !== 'requires_action') return false;
    switch (outcome) {
      case 'pay':
        succeed(intent, kind);
        break;
      case 'process':
        intent.status = 'processing';
        break;
      case 'authenticate':
        intent.status = 'requires_action';
        break;
      case 'fail':
        intent.status = 'requires_payment_method';
        intent.error = 'Your card was declined.';
    }
    return true;
  }

  /** The next call to a matching path meets this fault. */
  failNext(path: RegExp, kind: StripeFault): void {
    this.#faults.push({ path, kind });
  }

  /** No fault is left for the calls that follow. */
  endFaults(): void {
    this.#faults.length = 0;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await text(request);
    const [pathname, query] = path.split('?');
    this.requests.push({
      call: `${request.method} ${pathname}`,
      fields: [...new URLSearchParams(query ?? body)],
      headers: request.headers,
    });
    this.#respond(request, response, body);
  }

  #respond(request: IncomingMessage, response: ServerResponse, body: string): void {
    const path = request.url ?? '';
    const index = this.#faults.findIndex((one) => one.path.test(`${request.method} ${path}`));
    const [fault] = index === -1 ? [] : this.#faults.splice(index, 1);
    if (fault?.kind === 'hangs') return;
    if (fault?.kind === 'refused') {
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'garbled') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
      return;
    }
    const given = typeof fault?.kind === 'object' ? fault.kind : undefined;
    const result =
      typeof fault?.kind === 'number' ? failure(fault.kind, unavailable) : this.#idempotent(request, path, body, given);
    if (fault?.kind === 'lost') return;
    const shown = JSON.stringify(result.body);
    response.writeHead(result.status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(shown),
    });
    if (fault?.kind === 'cut') response.write(shown.slice(0, 20), () => request.socket.destroy());
    else response.end(shown);
  }

  #idempotent(request: IncomingMessage, path: string, body: string, given?: StripeResponse): StripeResponse {
    const account = String(request.headers['stripe-account'] ?? '');
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) return failure(401, {});
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method !== 'POST') {
      return given ?? this.#route(account, `${request.method} ${path}`, body);
    }
    const known = this.#responses.get(`${account} ${key}`);
    const asked = `${path} ${new URLSearchParams(body)}`;
    if (known !== undefined && known.asked !== asked) return failure(400, { type: 'idempotency_error' });
    const result = known?.result ?? given ?? this.#route(account, `POST ${path}`, body);
    this.#responses.set(`${account} ${key}`, { asked, result });
    return result;
  }

  #route(account: string, call: string, body: string): StripeResponse {
    const fields = new URLSearchParams(body);
    const [, id = '', action] = /^\w+ \/v1\/payment_intents\/([^/?]+)\/?(\w*)/.exec(call) ?? [];
    if (call === 'POST /v1/payment_intents') return this.#create(account, fields);
    if (call === 'POST /v1/setup_intents') return this.setups.create(account, fields);
    const [, setupId] = /^GET \/v1\/setup_intents\/([^/?]+)/.exec(call) ?? [];
    if (setupId !== undefined) return this.setups.retrieve(account, setupId);
    const [, methodId] = /^GET \/v1\/payment_methods\/([^/?]+)/.exec(call) ?? [];
    if (methodId !== undefined) return this.setups.method(account, methodId);
    if (call === 'POST /v1/customers') {
      this.customers += 1;
      return success({ id: `cus_${this.customers}`, object: 'customer' });
    }
    if (call === 'POST /v1/refunds') return this.#refund(account, fields);
    if (call.startsWith('GET /v1/refunds')) {
      const wanted = new URLSearchParams(call.split('?')[1]).get('payment_intent');
      return success({ object: 'list', data: this.refunds.filter((refund) => refund.payment_intent === wanted) });
    }
    const intent = this.intents.find((one) => one.id === id && one.account === account);
    if (intent === undefined) return failure(404, { code: 'resource_missing', message: 'No such payment_intent' });
    if (action === 'confirm') return confirm(intent, fields);
    if (action === 'cancel') return cancel(intent);
    return success(shown(intent));
  }

  #create(account: string, fields: URLSearchParams): StripeResponse {
    const method = fields.get('payment_method');
    const isAutomatic = fields.get('automatic_payment_methods[enabled]') === 'true';
    const isCard = fields.get('allowed_payment_method_types[0]') === 'card';
    if (method === null ? !isAutomatic && !isCard : !method.startsWith('pm_card_')) {
      return failure(400, { code: 'resource_missing', param: 'payment_method', message: 'No such PaymentMethod' });
    }
    if (Number(fields.get('amount')) < minimumAmount) {
      return failure(400, { code: 'amount_too_small', param: 'amount', message: 'Amount must be at least $0.50 aud' });
    }
    if (account === 'acct_closed')
      return failure(403, { code: 'account_invalid', message: 'No access to the account' });
    const intent = newIntent(`pi_${this.intents.length + 1}`, account, fields);
    this.intents.push(intent);
    return success(shown(intent));
  }

  #refund(account: string, fields: URLSearchParams): StripeResponse {
    const intent = this.intents.find((one) => one.id === fields.get('payment_intent') && one.account === account);
    const amount = Number(fields.get('amount'));
    const given = this.refunds
      .filter((one) => one.payment_intent === intent?.id)
      .reduce((sum, one) => sum + one.amount, 0);
    if (intent?.status !== 'succeeded') return failure(400, { message: 'This PaymentIntent has no successful charge' });
    if (given + amount > intent.amount)
      return failure(400, { message: 'Refund amount is greater than unrefunded amount' });
    const refund = {
      id: `re_${this.refunds.length + 1}`,
      payment_intent: intent.id,
      amount,
      metadata: metadataOf(fields),
      status: 'succeeded',
    };
    this.refunds.push(refund);
    return success(refund);
  }
}
