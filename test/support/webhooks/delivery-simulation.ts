import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { overdueHints } from '../../../shared/data/table/due-hints.ts';
import { type DueKind, duePartition } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects, transact } from '../../../shared/data/table/transact.ts';
import { readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { groupBy } from '../../../shared/domain/group-by.ts';
import type { Reply } from '../../../shared/domain/webhooks/evaluate-reply.ts';
import type { WebhookEventType } from '../../../shared/domain/webhooks/event-types.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { deliverGroup, deliveryGroup } from '../../../shared/webhooks/deliver-group.ts';
import type { DeliveryDeps } from '../../../shared/webhooks/delivery-deps.ts';
import { parseDeliveryMessage } from '../../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../../shared/webhooks/drain-backlog.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { runReplays } from '../../../shared/webhooks/replay.ts';
import { settleEvents } from '../../../shared/webhooks/settle-events.ts';
import { sweepBacklogs, sweepDeliveries } from '../../../shared/webhooks/sweep.ts';
import { endpointExample } from '../examples/webhook-examples.ts';
import { rethrowFailures } from './rethrow-failures.ts';

/** A post that arrived at a receiver, and when. */
export interface Arrival {
  readonly atMs: number;
  readonly url: string;
  readonly id: string;
  readonly timestamp: string;
}

type Task = { readonly kind: 'deliver' | 'backlog'; readonly message: Record<string, unknown> };
interface Message extends Task {
  readonly visibleMs: number;
}

const startMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const minuteMs = 60_000;

/**
 * Webhook delivery with the time, the queues and the receivers controlled by a test. The table and all of our code are
 * real; the clock moves only when the test moves it, messages wait in an array, and receivers respond as the test says.
 */
export class DeliverySimulation {
  readonly orgId = 'org_simulated';
  readonly arrivals: Arrival[] = [];
  messages: Message[] = [];
  nowMs = startMs;
  /** How receivers respond; by default with 200. */
  respond: (arrival: Arrival) => Reply = () => ({ kind: 'answer', status: 200 });
  retryAfter: string | undefined;
  readonly table: Table;
  /** The table of the functions. A test may replace it with a faulty one. */
  functionTable: Table;
  private lastSweptMs = startMs;

  private constructor(table: Table) {
    this.table = table;
    this.functionTable = table;
  }

  static async create(): Promise<DeliverySimulation> {
    const { createTestTable } = await import('../table.ts');
    return DeliverySimulation.on((await createTestTable()).table);
  }

  static on(table: Table): DeliverySimulation {
    return new DeliverySimulation(table);
  }

  async givenEndpoint(changes: Partial<EndpointRecord> = {}): Promise<string> {
    const endpointId = newEndpointId(this.nowMs);
    const endpoint = endpointExample({
      endpointId,
      url: `https://${endpointId.toLowerCase()}.example.com/`,
      createdUnix: this.nowUnix,
      ...changes,
    });
    await createEndpoint(this.table, this.orgId, endpoint, noSideEffects);
    return endpointId;
  }

  /** Announces events and fans them out. */
  async publishEvents(count: number): Promise<string[]> {
    const events = await this.announce(count);
    for (const eventId of events) await this.fanOut(eventId);
    return events;
  }

  async announce(count: number): Promise<string[]> {
    const sinceMs = this.nowMs;
    for (let index = 0; index < count; index += 1) {
      await transact(
        this.table,
        outboxItems(
          this.table,
          this.orgId,
          { type: 'member.created', data: {} },
          { nowMs: this.nowMs, requestId: 'req-1' },
        ),
      );
      this.nowMs += 1;
    }
    const query = { after: undefined, limit: 1_000, sinceMs, untilMs: this.nowMs, nowMs: this.nowMs + minuteMs };
    return (await readFeed(this.table, this.orgId, query)).events.map(({ eventId }) => eventId);
  }

  async fanOut(eventId: string, type: WebhookEventType = 'member.created'): Promise<void> {
    const deps = {
      table: this.functionTable,
      nowMs: this.nowMs,
      sendDeliveries: async (messages: readonly object[]) => {
        for (const message of messages) this.put({ kind: 'deliver', message: { ...message } }, 0);
      },
    };
    const event = { orgId: this.orgId, eventId, type, requestId: 'req-1' };
    await fanOut(deps, this.orgId, [event]);
  }

  get nowUnix(): number {
    return Math.floor(this.nowMs / 1000);
  }

  private put(task: Task, delaySeconds: number): void {
    this.messages.push({ ...task, visibleMs: this.nowMs + delaySeconds * 1000 });
  }

  get deps(): DeliveryDeps {
    return {
      table: this.functionTable,
      clock: { nowMs: () => this.nowMs },
      random: () => 0.5,
      sleep: async (ms) => {
        // Work that was started before must have begun when the time moves on.
        await new Promise(setImmediate);
        this.nowMs += ms;
      },
      send: async ({ url, headers }, _clock, onSlow) => {
        const arrival = {
          atMs: this.nowMs,
          url,
          id: headers['webhook-id'] ?? '',
          timestamp: headers['webhook-timestamp'] ?? '',
        };
        this.arrivals.push(arrival);
        const reply = this.respond(arrival);
        if (reply.kind === 'timeout') onSlow?.();
        return { reply, durationMs: 1, text: null, retryAfter: this.retryAfter };
      },
      openSecrets: async (_orgId, _endpointId, sealed) => [...sealed],
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) {
          this.put({ kind: 'deliver', message: { ...message } }, delaySeconds);
        }
      },
      wakeBacklog: async (ref, delaySeconds = 0) => this.put({ kind: 'backlog', message: { ...ref } }, delaySeconds),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
  }

  /** Handles every visible message, including new ones. A function that crashes loses its batch. */
  async handleVisible(onCrash: (error: unknown) => void = rethrow): Promise<void> {
    for (;;) {
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      try {
        await this.handle(batch);
      } catch (error) {
        onCrash(error);
      }
    }
  }

  /** The queue of new deliveries has batches of ten. Every other message is a batch of its own. */
  private takeBatch(): readonly Task[] {
    const isNew = ({ kind, message }: Task) => kind === 'deliver' && message.type !== undefined;
    const visible = this.messages.filter(({ visibleMs }) => visibleMs <= this.nowMs);
    const [next] = visible;
    if (next === undefined) return [];
    const batch = isNew(next) ? visible.filter(isNew).slice(0, 10) : [next];
    this.messages = this.messages.filter((message) => !batch.includes(message));
    return batch;
  }

  private async handle(batch: readonly Task[]): Promise<void> {
    const [{ kind, message } = { kind: undefined, message: {} }] = batch;
    if (kind === 'backlog')
      return drainBacklog(this.deps, { orgId: String(message.orgId), endpointId: String(message.endpointId) });
    const received = batch.map((task) => ({ message: parseDeliveryMessage(task.message), isRepeated: false }));
    const groups = groupBy(received, (one) => deliveryGroup(one, this.nowMs) ?? one);
    for (const group of groups.values()) await deliverGroup(this.deps, group);
  }

  async sweep(onCrash: (error: unknown) => void = rethrow): Promise<void> {
    const { table, sendRetries, wakeBacklog } = this.deps;
    const deps = {
      table,
      nowUnix: this.nowUnix,
      sendRetries,
      wakeBacklog,
      hasTime: () => true,
      attempt: rethrowFailures,
    };
    try {
      await this.sweepOutbox();
      await sweepBacklogs(deps);
      await sweepDeliveries(deps);
      await runReplays({ table, nowMs: this.nowMs, sendRetries, hasTime: () => true, attempt: rethrowFailures });
    } catch (error) {
      onCrash(error);
    }
  }

  /**
   * Advances the time: messages are handled when they become visible, and the sweeper runs in every minute in which
   * something is due.
   */
  async advance(ms: number, onCrash: (error: unknown) => void = rethrow): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.handleVisible(onCrash);
    while (this.nowMs < untilMs) {
      const sweepMs = Math.max(this.lastSweptMs + minuteMs, await this.earliestHintMs());
      this.nowMs = Math.max(this.nowMs, Math.min(...this.messages.map(({ visibleMs }) => visibleMs), sweepMs, untilMs));
      await this.handleVisible(onCrash);
      if (this.nowMs >= sweepMs) {
        this.lastSweptMs = this.nowMs;
        await this.sweep(onCrash);
        await this.handleVisible(onCrash);
      }
    }
  }

  private async sweepOutbox(): Promise<void> {
    const { nowUnix, functionTable: table } = this;
    const sweep = { table, nowUnix, attempt: rethrowFailures, settle: settleEvents };
    for await (const events of claimOverdue(sweep))
      for (const { eventId, type } of events) await this.fanOut(eventId, type);
  }

  /** When the next hint is due, or infinity when there is none. */
  async earliestHintMs(kinds: readonly DueKind[] = ['delivery', 'backlog', 'replay', 'outbox']): Promise<number> {
    const partitions = kinds.flatMap((kind) => Array.from({ length: 8 }, (_, shard) => duePartition(kind, shard)));
    const found = await Promise.all(partitions.map((partition) => this.firstOf(partition)));
    return Math.min(...found);
  }

  private async firstOf(partition: string): Promise<number> {
    const { Items = [] } = await this.table.client.send(
      new QueryCommand({
        TableName: this.table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': partition },
        Limit: 1,
      }),
    );
    return Items[0] === undefined ? Number.POSITIVE_INFINITY : Number(Items[0].dueUnix) * 1000;
  }

  /** Moves the time while nothing runs. */
  skip(ms: number): void {
    this.nowMs += ms;
  }

  delivery(endpointId: string, eventId: string) {
    return readDelivery(this.table, { orgId: this.orgId, endpointId, eventId });
  }

  arrivalsOf(eventId: string): Arrival[] {
    return this.arrivals.filter(({ id }) => id === eventId);
  }

  /** The number of unfinished items of a kind, whenever they are due. */
  async hints(kind: DueKind): Promise<number> {
    let count = 0;
    for await (const page of overdueHints(this.table, kind, this.nowUnix + 100 * 86_400)) count += page.length;
    return count;
  }
}

function rethrow(error: unknown): void {
  throw error;
}
