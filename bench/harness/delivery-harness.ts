import type { Table } from '../../shared/data/table/table.ts';
import { noSideEffects, transact } from '../../shared/data/table/transact.ts';
import type { EndpointRecord } from '../../shared/data/webhooks/endpoint-row.ts';
import { createEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { type EventReference, outboxItems } from '../../shared/outbox/outbox.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { deliverGroup, deliveryGroup } from '../../shared/webhooks/deliver-group.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { createSecret, openSecrets } from '../../shared/webhooks/endpoint-secrets.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { webhookEventExamples } from '../../tools/fixtures/examples/webhook-examples.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';

export const orgId = 'org_webhooks';
const type = 'member.created';
const example = webhookEventExamples.find((event) => event.type === type);
if (example === undefined) throw new Error(`There is no example of ${type}.`);
const announcement = { type, data: example.data } as const;

/** The number of concurrent deliveries in a stage other than production. */
const concurrency = 10;

/**
 * Delivers webhooks on a real table, in real time and with real POSTs. An array replaces the stream, the bus and the queues that
 * connect the functions on AWS, and passes everything on at once, because the latency of those services is not measured here.
 */
export class DeliveryHarness {
  readonly deps: DeliveryDeps;
  readonly #table: Table;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #unsent: DeliveryMessage[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Errors of deliveries. A measurement with any of them is not valid. */
  readonly failures: unknown[] = [];

  constructor(table: Table) {
    this.#table = table;
    this.deps = {
      table,
      clock: systemClock,
      random: () => 0.5,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      send: createSend({ allowLoopback: true }),
      openSecrets,
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) this.#later(delaySeconds, () => this.deliver([message]));
      },
      wakeBacklog: async (ref, delaySeconds = 0) => this.#later(delaySeconds, () => drainBacklog(this.deps, ref)),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
  }

  /** Creates an endpoint, of an organisation of its own if one is given. */
  async givenEndpoint(url: string, ratePerSecond: number, ofOrgId = orgId): Promise<EndpointRecord> {
    const endpointId = newEndpointId(Date.now());
    const { sealed: secret } = await createSecret(ofOrgId, endpointId);
    const endpoint: EndpointRecord = {
      endpointId,
      url,
      types: [type],
      description: null,
      ratePerSecond,
      status: 'enabled',
      disabledReason: null,
      createdUnix: 1,
      updatedUnix: null,
      secret,
      formerSecret: null,
      formerUntilUnix: 0,
      version: 1,
    };
    await createEndpoint(this.#table, ofOrgId, endpoint, noSideEffects);
    return endpoint;
  }

  /** Writes events of an organisation, which nothing has fanned out yet. */
  async givenEvents(ofOrgId: string, count: number): Promise<readonly EventReference[]> {
    const nowMs = Date.now();
    const made = Array.from({ length: count }, () =>
      outboxItems(this.#table, ofOrgId, announcement, { nowMs, requestId: 'req-1' }),
    );
    await putItems(
      this.#table,
      made.flat().flatMap(({ Put }) => (Put?.Item === undefined ? [] : [Put.Item])),
    );
    return made.map((event) => ({ orgId: ofOrgId, eventId: eventIdOf(event), type, requestId: 'req-1' }));
  }

  /** Fans out events of one organisation and delivers them: what happens between the bus and the endpoints. */
  async fanOutAndDeliver(ofOrgId: string, events: readonly EventReference[]): Promise<void> {
    const messages: DeliveryMessage[] = [];
    const sendDeliveries = async (sent: readonly DeliveryMessage[]) => void messages.push(...sent);
    await fanOut({ table: this.#table, nowMs: Date.now(), sendDeliveries }, ofOrgId, events);
    await this.deliver(messages);
  }

  async deliver(messages: readonly DeliveryMessage[]): Promise<void> {
    const batch = messages.map((message) => ({ message: parseDeliveryMessage(message), isRepeated: false }));
    const groups = Map.groupBy(batch, (received) => deliveryGroup(received, Date.now()) ?? received);
    await Promise.all([...groups.values()].map((group) => deliverGroup(this.deps, group)));
  }

  /** Commits an event and starts its delivery to every endpoint. Returns the event's id and the time of the commit. */
  async publishEvent(): Promise<{ eventId: string; committedMs: number }> {
    const event = outboxItems(this.#table, orgId, announcement, { nowMs: Date.now(), requestId: 'req-1' });
    await transact(this.#table, event);
    const committedMs = performance.now();
    const eventId = eventIdOf(event);
    const sendDeliveries = async (messages: readonly DeliveryMessage[]) => {
      this.#unsent.push(...messages);
      // A function takes up to ten messages. There is nothing left for those that come later.
      for (const _ of messages) this.#put(() => this.deliver(this.#unsent.splice(0, 10)));
    };
    this.#put(() =>
      fanOut({ table: this.#table, nowMs: Date.now(), sendDeliveries }, orgId, [{ orgId, eventId, type }]),
    );
    return { eventId, committedMs };
  }

  #later(delaySeconds: number, work: () => Promise<void>): void {
    setTimeout(() => this.#put(work), delaySeconds * 1000).unref();
  }

  #put(work: () => Promise<void>): void {
    this.#waiting.push(work);
    this.#start();
  }

  #start(): void {
    while (this.#running.size < concurrency) {
      const work = this.#waiting.shift();
      if (work === undefined) return;
      const run: Promise<void> = work()
        .catch((error: unknown) => void this.failures.push(error))
        .finally(() => {
          this.#running.delete(run);
          this.#start();
        });
      this.#running.add(run);
    }
  }
}

function eventIdOf(event: ReturnType<typeof outboxItems>): string {
  return String(event[0]?.Put?.Item?.sk);
}
