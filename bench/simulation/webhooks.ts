import { drawMs, type Latency } from '../../local/dynamodb/physics/random.ts';
import { noSideEffects, transact } from '../../shared/data/table/transact.ts';
import { createEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { maxRatePerSecond } from '../../shared/domain/webhooks/endpoint.ts';
import { type WebhookEventType, webhookEventTypes } from '../../shared/domain/webhooks/event-types.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import type { DeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { endpointExample } from '../../test/support/examples/webhook-examples.ts';
import type { SimulatedCloud } from './cloud.ts';
import { newInstance, runIn } from './instances.ts';
import { wholeMs } from './lambda.ts';

/** Assumed: a message passes SQS and starts a function. The receivers are in the same country. */
const queueLag: Latency = { medianMs: 20, p99Ms: 80 };
/** shared/workers/registry.ts */
const [deliveriesAtOnce, backlogsAtOnce] = [200, 100];
const endpoints = 10;
const bodyBytes = 1_000;

/** The queues and functions behind fan-out, and receivers that always accept. */
export class SimulatedWebhooks {
  readonly #cloud: SimulatedCloud;
  readonly #deps: DeliveryDeps;
  readonly #acknowledged = new Map<string, () => void>();
  /** When each POST began, by the URL of its endpoint. */
  readonly postedMs = new Map<string, number[]>();
  /** How long receivers take to answer. */
  receiver: Latency = { medianMs: 80, p99Ms: 250 };
  readonly #deliveries: FunctionQueue;
  readonly #backlogs: FunctionQueue;
  #events = 0;

  constructor(cloud: SimulatedCloud) {
    const { time, random } = cloud;
    this.#cloud = cloud;
    this.#deliveries = new FunctionQueue(cloud, deliveriesAtOnce);
    this.#backlogs = new FunctionQueue(cloud, backlogsAtOnce);
    this.#deps = {
      table: cloud.openTable(),
      clock: wholeMs(time),
      random,
      sleep: (ms) => time.sleep(ms),
      send: async ({ url, headers }) => {
        this.postedMs.set(url, [...(this.postedMs.get(url) ?? []), time.nowMs()]);
        const durationMs = drawMs(this.receiver, random);
        await time.sleep(durationMs);
        this.#acknowledged.get(headers['webhook-id'] ?? '')?.();
        return { reply: { kind: 'answer', status: 200 }, durationMs, text: null, retryAfter: undefined };
      },
      openSecrets: async (_orgId, _endpointId, sealed) => [...sealed],
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) this.#deliver(message, delaySeconds * 1000);
      },
      wakeBacklog: async (backlog, delaySeconds = 0) =>
        this.#backlogs.put(() => drainBacklog(this.#deps, backlog), delaySeconds * 1000),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
    cloud.onDeliveries((messages) => {
      for (const message of messages) this.#deliver(message, 0);
    });
  }

  /** Creates ten endpoints. Each subscribes to another type, so that every event goes to one of them. */
  async givenEndpoints(orgId: string): Promise<void> {
    for (const type of webhookEventTypes.slice(0, endpoints)) await this.givenEndpoint(orgId, type, maxRatePerSecond);
  }

  /** Creates an endpoint for one type, and returns its URL. */
  async givenEndpoint(orgId: string, type: WebhookEventType, ratePerSecond: number): Promise<string> {
    const endpointId = newEndpointId(Math.floor(this.#cloud.time.nowMs()));
    const url = `https://${type.replace(/\W/g, '-')}.example.com/`;
    const endpoint = endpointExample({ endpointId, url, types: [type], ratePerSecond });
    await createEndpoint(this.#cloud.data, orgId, endpoint, noSideEffects);
    return url;
  }

  /** Commits an event of the next type, and returns the time from the commit to its acknowledgement. */
  async deliverOne(
    orgId: string,
    type = webhookEventTypes[this.#events % endpoints] ?? 'order.completed',
  ): Promise<{ readonly status: number; readonly ms: number }> {
    const { time } = this.#cloud;
    const { table } = this.#deps;
    this.#events += 1;
    const cause = { nowMs: Math.floor(time.nowMs()), requestId: undefined };
    const items = outboxItems(table, orgId, { type, data: { text: 'x'.repeat(bodyBytes) } }, cause);
    const eventId = String(items[0]?.Put?.Item?.sk);
    const arrived = new Promise<void>((resolve) => this.#acknowledged.set(eventId, resolve));
    try {
      await transact(table, items);
    } catch {
      return { status: 503, ms: 0 };
    }
    const committedMs = time.nowMs();
    await arrived;
    return { status: 200, ms: time.nowMs() - committedMs };
  }

  #deliver(message: DeliveryMessage, delayMs: number): void {
    this.#deliveries.put(() => deliver(this.#deps, { ...message, forced: message.forced ?? false }), delayMs);
  }
}

/** A queue whose messages start functions, so many at once. A message whose function failed is received again. */
class FunctionQueue {
  readonly #cloud: SimulatedCloud;
  readonly #atOnce: number;
  readonly #visible: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(cloud: SimulatedCloud, atOnce: number) {
    this.#cloud = cloud;
    this.#atOnce = atOnce;
  }

  put(work: () => Promise<void>, delayMs: number): void {
    const { time, random } = this.#cloud;
    time.start(() => {
      this.#visible.push(work);
      this.#next();
    }, delayMs + drawMs(queueLag, random));
  }

  #next(): void {
    const work = this.#running < this.#atOnce ? this.#visible.shift() : undefined;
    if (work === undefined) return;
    this.#running += 1;
    void runIn(newInstance(), work)
      .catch(() => this.put(work, visibilityMs))
      .finally(() => {
        this.#running -= 1;
        this.#next();
      });
  }
}

/** The time after which SQS shows a message again. */
const visibilityMs = 180_000;
