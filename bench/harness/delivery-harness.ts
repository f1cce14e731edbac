import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/data/table/table.ts';
import { transact } from '../../shared/data/table/transact.ts';
import { newDelivery } from '../../shared/data/webhooks/deliveries.ts';
import { type DeliveryRef, newDeliveryItems } from '../../shared/data/webhooks/delivery-row.ts';
import { type EndpointRecord, endpointItem } from '../../shared/data/webhooks/endpoint-row.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { createSecret, openSecrets } from '../../shared/webhooks/endpoint-secrets.ts';
import { fanOut } from '../../shared/webhooks/fan-out.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { webhookEventExamples } from '../../test/support/examples/webhook-examples.ts';
import { putItems } from '../../test/support/put-items.ts';

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
        for (const { delaySeconds, ...ref } of messages) this.#later(delaySeconds, () => this.#deliver(ref));
      },
      wakeBacklog: async (ref, delaySeconds = 0) => this.#later(delaySeconds, () => drainBacklog(this.deps, ref)),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
  }

  async givenEndpoint(url: string, ratePerSecond: number): Promise<EndpointRecord> {
    const endpointId = newEndpointId(Date.now());
    const { sealed: secret } = await createSecret(orgId, endpointId);
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
    await this.#table.client.send(new PutCommand({ TableName: this.#table.name, Item: endpointItem(orgId, endpoint) }));
    return endpoint;
  }

  /** Writes deliveries as a fan-out does, one event for each, to the endpoints in rotation. */
  async givenDeliveries(endpoints: readonly EndpointRecord[], count: number): Promise<readonly DeliveryRef[]> {
    const made = Array.from({ length: count }, (_, index) => {
      const endpointId = endpoints[index % endpoints.length]?.endpointId ?? '';
      const event = outboxItems(this.#table, orgId, announcement, { nowMs: Date.now(), requestId: 'req-1' });
      const ref = { orgId, endpointId, eventId: eventIdOf(event) };
      return { ref, items: [...event, ...newDeliveryItems(this.#table, newDelivery({ ...ref, type }, Date.now()))] };
    });
    await putItems(
      this.#table,
      made.flatMap(({ items }) => items.flatMap(({ Put }) => (Put?.Item === undefined ? [] : [Put.Item]))),
    );
    return made.map(({ ref }) => ref);
  }

  /** Commits an event and starts its delivery to every endpoint. Returns the event's id and the time of the commit. */
  async publishEvent(): Promise<{ eventId: string; committedMs: number }> {
    const event = outboxItems(this.#table, orgId, announcement, { nowMs: Date.now(), requestId: 'req-1' });
    await transact(this.#table, event);
    const committedMs = performance.now();
    const eventId = eventIdOf(event);
    const sendDeliveries = async (messages: readonly DeliveryRef[]) => {
      for (const message of messages) this.#put(() => this.#deliver(message));
    };
    this.#put(() => fanOut({ table: this.#table, nowMs: Date.now(), sendDeliveries }, { orgId, eventId, type }));
    return { eventId, committedMs };
  }

  #deliver({ endpointId, eventId }: DeliveryRef): Promise<void> {
    return deliver(this.deps, { orgId, endpointId, eventId, forced: false });
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
