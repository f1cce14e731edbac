import type { Table } from '../../shared/data/table/table.ts';
import { noSideEffects } from '../../shared/data/table/transact.ts';
import type { EndpointRecord } from '../../shared/data/webhooks/endpoint-row.ts';
import { createEndpoint } from '../../shared/data/webhooks/endpoints.ts';
import { type EventReference, outboxItems } from '../../shared/outbox/outbox.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { deliverGroup, deliveryGroup } from '../../shared/webhooks/deliver-group.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
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

/**
 * Delivers webhooks on a real table, in real time and with real POSTs. Calls replace the stream, the bus and the queues that
 * connect the functions on AWS.
 */
export class DeliveryHarness {
  readonly deps: DeliveryDeps;
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
    this.deps = {
      table,
      clock: systemClock,
      receiversClock: systemClock,
      random: () => 0.5,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      send: createSend({ allowLoopback: true }),
      openSecrets,
      sendRetries: async () => {
        throw new Error('A delivery of the measurement failed.');
      },
      wakeBacklog: async () => {
        throw new Error('An endpoint of the measurement has a backlog.');
      },
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
      olderSecrets: [],
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
}

function eventIdOf(event: ReturnType<typeof outboxItems>): string {
  return String(event[0]?.Put?.Item?.sk);
}
