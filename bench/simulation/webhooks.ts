import { drawMs, type Latency } from '../../local/cloud/dynamodb/physics/random.ts';
import { noSideEffects, transact } from '../../shared/data/table/transact.ts';
import type { EndpointRef } from '../../shared/data/webhooks/endpoint-state-row.ts';
import { createEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { maxRatePerSecond } from '../../shared/domain/webhooks/endpoint.ts';
import { type WebhookEventType, webhookEventTypes } from '../../shared/domain/webhooks/event-types.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { deliverGroup, deliveryGroup } from '../../shared/webhooks/deliver-group.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { endpointExample } from '../../tools/fixtures/examples/webhook-examples.ts';
import type { SimulatedCloud } from './cloud.ts';
import { newInstance, runIn } from './instances.ts';
import { wholeMs } from './lambda.ts';

/** Assumed: a message passes SQS and starts a function. The receivers are in the same country. */
const queueLag: Latency = { medianMs: 20, p99Ms: 80 };
/** shared/workers/registry.ts */
const [deliveriesAtOnce, backlogsAtOnce] = [200, 100];
/** shared/webhooks/send.ts */
const slowMs = 250;
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
  readonly #deliveries: FunctionQueue<ReceivedDelivery>;
  readonly #retries: FunctionQueue<ReceivedDelivery>;
  readonly #backlogs: FunctionQueue<EndpointRef>;
  #events = 0;

  constructor(cloud: SimulatedCloud) {
    const { time, random } = cloud;
    this.#cloud = cloud;
    const deliver = (batch: readonly ReceivedDelivery[]) => this.#deliverBatch(batch);
    this.#deliveries = new FunctionQueue(cloud, { atOnce: deliveriesAtOnce, batchSize: 10, handle: deliver });
    this.#retries = new FunctionQueue(cloud, { atOnce: deliveriesAtOnce, batchSize: 1, handle: deliver });
    this.#backlogs = new FunctionQueue<EndpointRef>(cloud, {
      atOnce: backlogsAtOnce,
      batchSize: 1,
      handle: async (refs) => {
        for (const ref of refs) await drainBacklog(this.#deps, ref);
      },
    });
    this.#deps = {
      table: cloud.openTable(),
      clock: wholeMs(time),
      receiversClock: wholeMs(time),
      random,
      sleep: (ms) => time.sleep(ms),
      send: async ({ url, headers }, _clock, onSlow) => {
        this.postedMs.set(url, [...(this.postedMs.get(url) ?? []), time.nowMs()]);
        const durationMs = drawMs(this.receiver, random);
        await time.sleep(Math.min(durationMs, slowMs));
        if (durationMs > slowMs) {
          onSlow?.();
          await time.sleep(durationMs - slowMs);
        }
        this.#acknowledged.get(headers['webhook-id'] ?? '')?.();
        return { reply: { kind: 'answer', status: 200 }, durationMs, text: null, retryAfter: undefined };
      },
      openSecrets: async (_orgId, _endpointId, sealed) => [...sealed],
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) this.#deliver(message, delaySeconds * 1000);
      },
      wakeBacklog: async (backlog, delaySeconds = 0) => this.#backlogs.put(backlog, delaySeconds * 1000),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
    cloud.onDeliveries((messages) => {
      for (const message of messages) this.#deliver(message, 0);
    });
  }

  /** Creates ten endpoints. Each subscribes to another type, so every event goes to one of them. */
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
    const received = { message: parseDeliveryMessage(message), isRepeated: false };
    const queue = message.type === undefined ? this.#retries : this.#deliveries;
    queue.put(received, delayMs);
  }

  async #deliverBatch(batch: readonly ReceivedDelivery[]): Promise<void> {
    const groups = Map.groupBy(batch, (received) => deliveryGroup(received, this.#deps.clock.nowMs()) ?? received);
    await Promise.all([...groups.values()].map((group) => deliverGroup(this.#deps, group)));
  }
}

type ReceivedDelivery = Parameters<typeof deliverGroup>[1][number];

interface QueueOptions<Message> {
  /** How many functions run at once. */
  readonly atOnce: number;
  readonly batchSize: number;
  readonly handle: (batch: readonly Message[]) => Promise<void>;
}

/** A queue whose messages start functions. The messages of a function that failed are received again. */
class FunctionQueue<Message> {
  readonly #cloud: SimulatedCloud;
  readonly #options: QueueOptions<Message>;
  readonly #visible: Message[] = [];
  #running = 0;

  constructor(cloud: SimulatedCloud, options: QueueOptions<Message>) {
    this.#cloud = cloud;
    this.#options = options;
  }

  put(message: Message, delayMs: number): void {
    const { time, random } = this.#cloud;
    time.start(() => {
      this.#visible.push(message);
      this.#next();
    }, delayMs + drawMs(queueLag, random));
  }

  #next(): void {
    const { atOnce, batchSize, handle } = this.#options;
    if (this.#running >= atOnce || this.#visible.length === 0) return;
    const batch = this.#visible.splice(0, batchSize);
    this.#running += 1;
    void runIn(newInstance(), () => handle(batch))
      .catch(() => {
        for (const message of batch) this.put(message, visibilityMs);
      })
      .finally(() => {
        this.#running -= 1;
        this.#next();
      });
  }
}

/** The time after which SQS shows a message again. */
const visibilityMs = 360_000;
