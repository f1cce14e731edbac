import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gateline } from '../../site/server/gateline.ts';
import { readBody } from '../../site/server/read-body.ts';
import type { Arrival } from '../browser/resources.ts';
import { isFromGateline } from './verify-webhook.ts';

interface Endpoint {
  readonly webhook_endpoint_id: string;
  readonly description: string | null;
  readonly secret: string;
}

const description = 'Sample shop';
const maxKept = 100;

/** Receives webhooks, verifies them, and streams them to the pages that watch. */
export class Webhooks {
  readonly #gateline: Gateline;
  readonly #now: () => number;
  readonly #watching = new Set<ServerResponse>();
  readonly #arrivals: Arrival[] = [];
  readonly #seen = new Set<string>();
  #endpoint: Promise<Endpoint> | undefined;

  constructor(gateline: Gateline, now: () => number) {
    this.#gateline = gateline;
    this.#now = now;
  }

  /**
   * Registers this server as a webhook endpoint, once. A real shop registers its endpoint when it is set up and keeps the secret in
   * its configuration; this one lives only as long as the local run.
   */
  register(url: string): void {
    this.#endpoint ??= this.#replaceEndpoint(url);
    this.#endpoint.catch(() => {
      // The next page tries again.
      this.#endpoint = undefined;
    });
  }

  async #replaceEndpoint(url: string): Promise<Endpoint> {
    const { data } = await this.#gateline.call<{ data: readonly Endpoint[] }>('GET', '/v1/webhook_endpoints');
    for (const left of data.filter((one) => one.description === description)) await this.#remove(left);
    return this.#gateline.call<Endpoint>('POST', '/v1/webhook_endpoints', { url, description });
  }

  #remove({ webhook_endpoint_id }: Endpoint): Promise<unknown> {
    return this.#gateline.call('DELETE', `/v1/webhook_endpoints/${webhook_endpoint_id}`);
  }

  /** `POST /webhooks`: only 200 acknowledges a webhook, everything else is sent again. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The bytes as they arrived: a body that was parsed and serialized again has another signature.
    const body = await readBody(request);
    const endpoint = await this.#endpoint?.catch(() => undefined);
    const arrival = this.#inspect(request, body, endpoint?.secret);
    this.#arrivals.push(arrival);
    if (this.#arrivals.length > maxKept) this.#arrivals.shift();
    for (const watching of this.#watching) send(watching, arrival);
    response.writeHead(arrival.outcome === 'refused' ? 400 : 200).end();
  }

  #inspect({ headers }: IncomingMessage, body: string, secret: string | undefined): Arrival {
    const id = String(headers['webhook-id']).slice(0, 100);
    const arrived = { id, arrivedUnix: Math.floor(this.#now() / 1000) };
    if (secret === undefined) return { ...arrived, outcome: 'refused', reason: 'no endpoint is registered' };
    const sender = isFromGateline(secret, headers, body, Date.now());
    if (sender !== 'yes') return { ...arrived, outcome: 'refused', reason: sender };
    // The same id is the same event. It can arrive more than once and must be processed once.
    const outcome = this.#seen.has(id) ? 'repeated' : 'verified';
    this.#seen.add(id);
    const event = JSON.parse(body) as { readonly type: string };
    return { ...arrived, outcome, type: event.type, body: event };
  }

  /** `GET /webhooks/stream`: what has arrived, and from now on each arrival, as server-sent events. */
  stream(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('retry: 2000\n\n');
    for (const arrival of this.#arrivals) send(response, arrival);
    this.#watching.add(response);
    request.on('close', () => this.#watching.delete(response));
  }

  /** Removes the endpoint, so Gateline does not call a server that has stopped. */
  async stop(): Promise<void> {
    const endpoint = await this.#endpoint?.catch(() => undefined);
    if (endpoint !== undefined) await this.#remove(endpoint).catch(() => {});
  }
}

function send(response: ServerResponse, arrival: Arrival): void {
  response.write(`data: ${JSON.stringify(arrival)}\n\n`);
}
