import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { overdueHints } from '../../../shared/data/table/due-hints.ts';
import { type DueKind, duePartition } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects, transact } from '../../../shared/data/table/transact.ts';
import { readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import type { Reply } from '../../../shared/domain/webhooks/evaluate-reply.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../../shared/webhooks/delivery-deps.ts';
import { drainBacklog } from '../../../shared/webhooks/drain-backlog.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { runReplays } from '../../../shared/webhooks/replay.ts';
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

  async fanOut(eventId: string): Promise<void> {
    const deps = {
      table: this.functionTable,
      nowMs: this.nowMs,
      sendDeliveries: async (messages: readonly object[]) => {
        for (const message of messages) this.put({ kind: 'deliver', message: { forced: false, ...message } }, 0);
      },
    };
    await fanOut(deps, { orgId: this.orgId, eventId, type: 'member.created', requestId: 'req-1' });
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
      send: async ({ url, headers }) => {
        const arrival = {
          atMs: this.nowMs,
          url,
          id: headers['webhook-id'] ?? '',
          timestamp: headers['webhook-timestamp'] ?? '',
        };
        this.arrivals.push(arrival);
        return { reply: this.respond(arrival), durationMs: 1, text: null, retryAfter: this.retryAfter };
      },
      openSecrets: async (_orgId, _endpointId, sealed) => [...sealed],
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) {
          this.put({ kind: 'deliver', message: { forced: false, ...message } }, delaySeconds);
        }
      },
      wakeBacklog: async (ref, delaySeconds = 0) => this.put({ kind: 'backlog', message: { ...ref } }, delaySeconds),
      describe: ({ endpointId }) => ({ webhook_endpoint_id: endpointId }),
    };
  }

  /** Handles every visible message, including new ones. A function that crashes loses its message. */
  async handleVisible(onCrash: (error: unknown) => void = rethrow): Promise<void> {
    for (;;) {
      const index = this.messages.findIndex(({ visibleMs }) => visibleMs <= this.nowMs);
      const [next] = index === -1 ? [] : this.messages.splice(index, 1);
      if (next === undefined) return;
      try {
        await this.handle(next);
      } catch (error) {
        onCrash(error);
      }
    }
  }

  private async handle({ kind, message }: Task): Promise<void> {
    const { orgId, endpointId, eventId, forced } = message;
    const ref = { orgId: String(orgId), endpointId: String(endpointId) };
    if (kind === 'backlog') return drainBacklog(this.deps, ref);
    return deliver(this.deps, { ...ref, eventId: String(eventId), forced: forced === true });
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

  /** When the next hint is due, or infinity when there is none. */
  async earliestHintMs(kinds: readonly DueKind[] = ['delivery', 'backlog', 'replay']): Promise<number> {
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
